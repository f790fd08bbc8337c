import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Enforcing } from '../../bench/hostile/enforcing.ts';
import { access, decision } from '../../bench/hostile/shape.ts';

/** A call has no room on the stack for so many arguments. */
const MANY = 150_000;

/** Lists that neither a payload nor a PDP makes long. */
const SHORT: ReadonlySet<string> = new Set(['replacements(fields, identityHeaders)', 'useProblems(content)']);

test('no list is made the arguments of a call, where it may have any length', () => {
  const found = globSync('src/**/*.ts').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(
        /(?:\.(?:push|unshift|splice)|Math\.\w+|fromCharCode)\((?:[^()[\]{}]*,\s*)?\.\.\.(.*)\)/gu,
      ),
      ([, list = '']) => list,
    ),
  );
  expect(new Set(found)).toEqual(SHORT);
});

test('a decision creates more properties than a call may have arguments', async () => {
  const names = Array.from({ length: MANY }, (_, at) => `p${at}`);
  // A longer payload may take more time.
  const blanks = ' '.repeat(8_000_000);
  const request = { payload: `[{}${blanks}]`, decision: decision([access(names, 'x')]) };
  const { answer } = await new Enforcing(request).run();
  const created = JSON.stringify([Object.fromEntries(names.map((name) => [name, 'x']))]);
  expect(answer).toBe(created.length + blanks.length);
});
