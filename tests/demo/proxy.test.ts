import { expect, test } from '@jest/globals';
import { runScript } from './script.ts';

/** What is shown under a title. */
function shownAs(title: string, printed: string): string {
  return printed.split('\n\n').find((part) => part.startsWith(title)) ?? '';
}

test('the example of the reverse proxy shows what an unchanged application answers, before and after', async () => {
  const { exitCode, stdout, stderr } = await runScript('example-proxy.ts');
  expect([exitCode, stderr]).toEqual([0, '']);
  const before = shownAs('The application itself', stdout);
  expect(before).toContain('"ssn":"987-65-4321"');
  const agent = shownAs('Through the proxy, as Jane', stdout);
  expect(agent).toContain('/customers -> 200');
  expect(agent).toContain('Ann Lee');
  expect(agent).not.toMatch(/123-45-6789|4222222222222|Eva Sol/u);
  expect(shownAs('Through the proxy, as Max', stdout)).toContain('Eva Sol');
  expect(shownAs('Without a user', stdout)).toContain('-> 400');
  expect(shownAs('A page that is not JSON', stdout)).toContain('response-not-enforceable');
  expect(shownAs('A route that refuses', stdout)).toContain('-> 403');
  expect(shownAs('A route that passes', stdout)).toContain('-> 200\nup');
});
