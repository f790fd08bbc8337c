import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import express, { type Request, type Response } from 'express';
import { closeAll, freePort, stopLater } from '../../pdp/transport/setup.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { call } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { neededTool } from '../../support/tools.ts';
import { connected } from '../../support/wire.ts';
import { answering, MASKS_SSN, SECRET, startBoth, startProxied } from './setup.ts';

afterEach(closeAll);

const run = promisify(execFile);

const curl = neededTool('curl');
const nginx = neededTool('nginx');

/** Starts nginx with a cache that many users share, in front of a port. */
async function startNginx(upstream: number): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    // Paths are relative to the folder. As root, its worker would be somebody who may not enter it.
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid nginx.pid; error_log error.log; events {}
http {
  access_log off; ${temporary.join(' ')}
  proxy_cache_path cache keys_zone=shared:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_cache shared; proxy_cache_key $uri; proxy_cache_valid 200 0s;
      add_header X-Cache $upstream_cache_status;
    }
  }
}`,
  );
  const options = ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'];
  const child = spawn(nginx.program, options, { stdio: 'ignore' });
  stopLater(async () => {
    child.kill();
    await once(child, 'close');
    rmSync(folder, { recursive: true });
  });
  let isUp = false;
  await eventually(() => {
    if (!isUp)
      void connected(port).then(
        (socket) => (isUp = !socket.destroy().connecting),
        () => undefined,
      );
    return isUp;
  });
  return port;
}

nginx.describe('with nginx in front', () => {
  const otherwise = { vendor: { entityId: '${headers.x-user}' } };
  const tempting = {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=600, s-maxage=600',
    'x-accel-expires': '600',
    expires: 'Sat, 21 Nov 2099 00:00:00 GMT',
  };

  test('two users of its cache each get what their own decision says', async () => {
    const { proxyPort } = await startBoth(
      answering(`{"ssn":"${SECRET}"}`, tempting),
      { otherwise, trustedHeaders: ['x-user'] },
      ({ body }) =>
        body.toString().includes('boss') ? { body: decision({ access: [maskRule('id')] }) } : MASKS_SSN,
    );
    const port = await startNginx(proxyPort);
    const seen: unknown[] = [];
    for (const user of ['boss', 'jane', 'boss', 'jane']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, to meet the cache
      const answer = await call(port, { method: 'GET', path: '/a', headers: { 'x-user': user } });
      seen.push([answer.text, answer.headers['x-cache']]);
    }
    const boss = [`{"ssn":"${SECRET}"}`, 'MISS'];
    const jane = ['{"ssn":"***"}', 'MISS'];
    expect(seen).toEqual([boss, jane, boss, jane]);
  });

  test('a stream and a large answer come through', async () => {
    const large = `[${`{"ssn":"${SECRET}"},`.repeat(20_000)}{}]`;
    const { proxyPort } = await startBoth((request, response) => {
      const isStream = request.url === '/stream';
      response.writeHead(200, { 'content-type': isStream ? 'application/x-ndjson' : 'application/json' });
      response.end(isStream ? `{"ssn":"${SECRET}"}\n`.repeat(20_000) : large);
    });
    const port = await startNginx(proxyPort);
    const whole = await call(port, { method: 'GET', path: '/a' });
    expect(whole.text === large.replaceAll(SECRET, '***')).toBe(true);
    const stream = await call(port, { method: 'GET', path: '/stream' });
    expect(stream.text === '{"ssn":"***"}\n'.repeat(20_000)).toBe(true);
  });
});

curl.describe('with curl', () => {
  const common = ['--silent', '--show-error', '--include', '--max-time', '10'];

  async function got(options: readonly string[], port: number, target = '/a'): Promise<string> {
    const { stdout } = await run(curl.program, [...common, ...options, `http://127.0.0.1:${port}${target}`]);
    return stdout;
  }

  test.each([
    ['plainly', []],
    ['with HTTP/1.0', ['--http1.0']],
    ['compressed', ['--compressed']],
    ['in a range', ['--range', '0-4']],
    ['with a body in chunks', ['--header', 'Transfer-Encoding: chunked', '--data', '{"a":1}']],
    ['with a body that waits for 100 Continue', ['--header', 'Expect: 100-continue', '--data', '{"a":1}']],
    ['as through a forward proxy', ['--request-target', '/a']],
    ['with an upgrade to HTTP/2', ['--http2']],
  ])('a request is masked %s', async (_name, options) => {
    const { proxyPort } = await startBoth(answering(`{"ssn":"${SECRET}"}`));
    const received = await got(options, proxyPort);
    expect(received).not.toContain(SECRET);
    expect(received).toMatch(/\{"ssn":"\*\*\*"\}$|upgrade-refused/u);
  });

  test('HEAD has no length', async () => {
    const { proxyPort } = await startBoth(answering(`{"ssn":"${SECRET}"}`));
    expect(await got(['--head'], proxyPort)).not.toMatch(/content-length/iu);
  });

  test('an answer that breaks off is an error of curl', async () => {
    const { proxyPort } = await startBoth((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(`{"ssn":"${SECRET}"}\n${SECRET}\n`);
    });
    for (const version of ['--http1.0', '--http1.1']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const outcome = await got([version, '--fail'], proxyPort).catch((error: unknown) => String(error));
      expect(outcome).toMatch(/Command failed/u);
    }
  });
});

describe('an Express application behind the proxy', () => {
  test('is masked, its redirects and empty answers pass, its pages are refused', async () => {
    const app = express();
    app.get('/customers/:id', (request: Request, response: Response) => {
      response.json({ id: request.params['id'], ssn: SECRET });
    });
    app.get('/moved', (_request: Request, response: Response) => response.location('/b').status(302).end());
    app.delete('/customers/:id', (_request: Request, response: Response) => void response.sendStatus(204));
    app.get('/page', (_request: Request, response: Response) => void response.send(`<p>${SECRET}</p>`));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stopLater(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { proxyPort } = await startProxied(`http://127.0.0.1:${port}`);
    const get = (target: string, method = 'GET') => call(proxyPort, { method, path: target });
    expect((await get('/customers/7')).text).toBe('{"id":"7","ssn":"***"}');
    expect(await get('/moved')).toMatchObject({ status: 302, headers: { location: '/b' } });
    expect(await get('/customers/7', 'DELETE')).toMatchObject({ status: 204, text: '' });
    expect((await get('/page')).status).toBe(502);
    expect((await get('/nowhere')).text).not.toContain(SECRET);
  });
});
