import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { call } from '../support/caller.ts';
import { folderWith } from '../support/process.ts';
import { fencesIn } from './markdown.ts';

afterEach(closeAll);

const SECRET = '123-45-6789';

/** Where the modules that the example imports are. */
const MODULES: Readonly<Record<string, string>> = {
  fastify: require.resolve('fastify'),
  'authz-jsonmasking': 'src/library.ts',
};

/** What an application has besides the example: users, handlers and a port. */
const APPLICATION = `
app.addHook('onRequest', async (request) => (request.user = { id: 'jane' }));
app.get('/customer', async (request, reply) => reply.header('etag', '"1"').send({ id: 1, ssn: '${SECRET}' }));
app.get('/text', async () => '${SECRET}');
app.get('/none', async (request, reply) => reply.code(204).send());
console.log(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
`;

async function startExample(): Promise<number> {
  const fence = fencesIn(readFileSync('docs/library.md', 'utf8')).find(
    ({ heading }) => heading === 'Fastify',
  );
  const example = (fence?.text ?? '').replaceAll(/from '([\w-]+)'/gu, (written, name: string) => {
    const file = MODULES[name];
    return file === undefined ? written : `from ${JSON.stringify(pathToFileURL(path.resolve(file)).href)}`;
  });
  const folder = await folderWith({
    'app.mjs': example + APPLICATION,
    'policies.yaml': 'policies: [{ name: SSN, properties: [ssn], action: MASK }]',
  });
  const child = spawn(process.execPath, ['app.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  stopLater(() => Promise.resolve(void child.kill('SIGKILL')));
  const [printed] = await once(child.stdout, 'data');
  return Number(String(printed));
}

test('the hook for Fastify masks what is sent, and sends nothing of what cannot be masked', async () => {
  const port = await startExample();
  const get = (at: string) => call(port, { method: 'GET', path: at });
  const masked = await get('/customer');
  expect(masked).toMatchObject({ status: 200, text: '{"id":1,"ssn":"***"}' });
  expect(masked.headers).not.toHaveProperty('etag');
  expect(masked.headers).toMatchObject({ 'cache-control': 'private', vary: 'Authorization, Cookie' });
  const refused = await get('/text');
  expect(refused).toMatchObject({ status: 502, text: expect.not.stringContaining(SECRET) });
  expect(await get('/none')).toMatchObject({ status: 204, text: '' });
});
