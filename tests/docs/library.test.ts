import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import * as z from 'zod';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { call } from '../support/caller.ts';
import { folderWith } from '../support/folder.ts';
import { fencesIn } from './markdown.ts';

afterEach(closeAll);

const SECRET = '123-45-6789';

/** Where the modules that the example imports are. */
const MODULES: Readonly<Record<string, string>> = {
  fastify: require.resolve('fastify'),
  koa: require.resolve('koa'),
  'authz-jsonmasking': 'src/library.ts',
};

interface Example {
  readonly heading: string;
  /** How the application of the example knows its users. */
  readonly authenticate: string;
  /** What an application has besides the example: handlers, and a port that it prints. */
  readonly application: string;
}

const RECORD = `
import { Readable } from 'node:stream';

const record = { id: 1, ssn: '${SECRET}' };
const json = JSON.stringify(record);
`;

const FASTIFY: Example = {
  heading: 'Fastify',
  authenticate: "export const authenticate = async (request) => (request.user = { id: 'jane' });",
  application: `
const toRaw = (reply) => reply.raw.writeHead(200, { 'content-type': 'application/json' }).end(json);

app.addHook('onSend', async (request, reply, payload) => {
  if (request.headers['if-none-match'] === '"1"') reply.code(304);
  reply.header('etag', '"1"');
  return payload;
});
app.get('/customer', async () => record);
app.get('/sent', (request, reply) => void reply.send(record));
app.get('/stream', async (request, reply) => reply.type('application/json').send(Readable.from([json])));
app.get('/raw', (request, reply) => void toRaw(reply));
app.get('/hijacked', (request, reply) => void toRaw(reply.hijack()));
app.get('/hooked', { onSend: async () => json }, async () => ({ id: 2 }));
app.get('/health/live', async () => record);
app.get('/part', async (request, reply) => reply.code(206).send(record));
app.get('/text', async () => '${SECRET}');
app.get('/none', async (request, reply) => reply.code(204).send());
app.setNotFoundHandler((request, reply) => reply.code(404).send(record));
const { body } = await app.inject('/customer');
console.log(JSON.stringify({ port: Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port), body }));
`,
};

const KOA: Example = {
  heading: 'Koa and others',
  authenticate: `
export const pending = new Set();
export const authenticate = (ctx, next) => {
  ctx.state.user = { id: 'jane' };
  pending.add(ctx.path);
  return next().finally(() => pending.delete(ctx.path));
};
`,
  application: `
import { pending } from './authenticate.js';

const answers = {
  '/object': (ctx) => void (ctx.body = record),
  '/json': (ctx) => void Object.assign(ctx, { type: 'json', body: json }),
  '/stream': (ctx) => void Object.assign(ctx, { type: 'json', body: Readable.from([json]) }),
  '/web': (ctx) => void Object.assign(ctx, { type: 'json', body: new Blob([json]).stream() }),
  '/response': (ctx) => void (ctx.body = Response.json(record)),
  '/raw': (ctx) => {
    ctx.respond = false;
    ctx.res.writeHead(200, { 'content-type': 'application/json' }).end(json);
  },
  '/late': async (ctx) => {
    await new Promise(setImmediate);
    ctx.body = record;
  },
  '/text': (ctx) => void (ctx.body = '${SECRET}'),
  '/thrown': (ctx) => ctx.throw(400, '${SECRET}'),
  '/none': (ctx) => void (ctx.status = 204),
  '/health/live': (ctx) => void (ctx.body = record),
  '/health/pending': (ctx) => void (ctx.body = [...pending]),
};
app.silent = true;
app.use((ctx) => {
  ctx.etag = '1';
  return answers[ctx.path](ctx);
});
const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port, body: '' })));
`,
};

const started = z.object({ port: z.number(), body: z.string() });

async function startExample({
  heading,
  authenticate,
  application,
}: Example): Promise<z.output<typeof started>> {
  const fence = fencesIn(readFileSync('docs/library.md', 'utf8')).find((one) => one.heading === heading);
  const example = (fence?.text ?? '').replaceAll(/from '([\w-]+)'/gu, (written, name: string) => {
    const file = MODULES[name];
    return file === undefined ? written : `from ${JSON.stringify(pathToFileURL(path.resolve(file)).href)}`;
  });
  const folder = await folderWith({
    'app.mjs': example + RECORD + application,
    'authenticate.js': authenticate,
    'package.json': '{"type":"module"}',
    'policies.yaml': 'policies: [{ name: SSN, properties: [ssn], action: MASK }]',
  });
  const child = spawn(process.execPath, ['app.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  stopLater(() => Promise.resolve(void child.kill('SIGKILL')));
  const [printed] = await once(child.stdout, 'data');
  return started.parse(JSON.parse(String(printed)));
}

const MASKED = '{"id":1,"ssn":"***"}';

test('the hook for Fastify masks whatever is sent, and sends nothing of what cannot be masked', async () => {
  const { port, body } = await startExample(FASTIFY);
  const get = (at: string, headers = {}) => call(port, { method: 'GET', path: at, headers });
  for (const at of ['/customer', '/sent', '/stream', '/raw', '/hijacked', '/hooked', '/unknown']) {
    // oxlint-disable-next-line no-await-in-loop -- one path after another
    const masked = await get(at, { 'if-none-match': '"1"' });
    expect(masked).toMatchObject({ status: at === '/unknown' ? 404 : 200, text: MASKED });
    expect(masked.headers).not.toHaveProperty('etag');
    expect(masked.headers).toMatchObject({ 'cache-control': 'private', vary: 'Authorization, Cookie' });
  }
  expect(body).toBe(MASKED);
  for (const at of ['/text', '/part'])
    // oxlint-disable-next-line no-await-in-loop
    expect(await get(at)).toMatchObject({ status: 502, text: expect.not.stringContaining(SECRET) });
  expect(await get('/none')).toMatchObject({ status: 204, text: '' });
  expect((await get('/health/live')).text).toContain(SECRET);
});

test('the middleware for Koa masks whatever is sent, and sends nothing of what cannot be masked', async () => {
  const { port } = await startExample(KOA);
  const get = (at: string) => call(port, { method: 'GET', path: at, headers: { 'if-none-match': '"1"' } });
  for (const at of ['/object', '/json', '/stream', '/web', '/response', '/raw', '/late']) {
    // oxlint-disable-next-line no-await-in-loop -- one path after another
    const masked = await get(at);
    expect(masked).toMatchObject({ status: 200, text: MASKED });
    expect(masked.headers).not.toHaveProperty('etag');
  }
  for (const at of ['/text', '/thrown'])
    // oxlint-disable-next-line no-await-in-loop
    expect(await get(at)).toMatchObject({ status: 502, text: expect.not.stringContaining(SECRET) });
  expect(await get('/none')).toMatchObject({ status: 204, text: '' });
  expect((await get('/health/live')).text).toContain(SECRET);
  expect(await get('/health%2f..%2fobject')).toMatchObject({ status: 400 });
  expect((await get('/health/pending')).text).toBe('["/health/pending"]');
});
