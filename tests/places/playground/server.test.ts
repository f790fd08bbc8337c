import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startPlayground, type Page, type Playground } from '../../../src/places/playground/index.ts';
import { eventually } from '../../support/eventually.ts';
import { exchanged } from '../../support/wire.ts';
import { whyRefused } from '../../../src/places/playground/guard.ts';
import { readPlaygroundRequest } from '../../../src/places/playground/request.ts';

const PAGE: Page = {
  files: new Map([['/', { type: 'text/html; charset=utf-8', content: Buffer.from('<!doctype html>') }]]),
  examples: '[]',
};

let playground: Playground;
const asked: string[] = [];
const faults: unknown[] = [];

beforeAll(async () => {
  playground = await startPlayground({
    port: 0,
    page: PAGE,
    policies: 'policies: []\n',
    explain: (body) => {
      asked.push(body.toString());
      if (asked.at(-1) === '{"fail":1}') throw new Error('a fault');
      if (asked.at(-1) === '[]') readPlaygroundRequest(body);
      return Promise.resolve([Buffer.from('{"explanation":'), Buffer.from('{}}')]);
    },
    onFault: (error) => void faults.push(error),
  });
});

afterAll(() => playground.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(path: string, { method = 'GET', headers = {}, body = '' }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: playground.port, path, method, headers }, (response) => {
      void text(response).then((read) =>
        resolve({ status: response.statusCode, headers: response.headers, body: read }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

const JSON_BODY = { 'Content-Type': 'application/json' };

function question(headers: Readonly<Record<string, string>>, body = '{}'): Promise<Answer> {
  return ask('/explain', { method: 'POST', headers: { ...JSON_BODY, ...headers }, body });
}

describe('the server of the playground', () => {
  test('serves the page and what it begins with', async () => {
    await expect(ask('/')).resolves.toMatchObject({ status: 200, body: '<!doctype html>' });
    const { body } = await ask('/start.json');
    expect(JSON.parse(body)).toEqual({ policies: 'policies: []\n', examples: [] });
  });

  test('has no page of another site show it, run in it, or be asked by it', async () => {
    const { headers } = await ask('/');
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('refuses a request with two hosts, also if one is its own', async () => {
    const { port } = playground;
    const hosts = [`127.0.0.1:${port}`, 'evil.example'];
    const answers = [hosts, hosts.toReversed(), [hosts[0], hosts[0]]].map((both) =>
      exchanged(port, `GET / HTTP/1.1\r\nHost: ${both.join('\r\nHost: ')}\r\nConnection: close\r\n\r\n`),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 (?:400|403) /u);
  });

  test('answers a question of the page', async () => {
    const own = `http://127.0.0.1:${playground.port}`;
    await expect(question({ Origin: own, 'Sec-Fetch-Site': 'same-origin' })).resolves.toMatchObject({
      status: 200,
      body: '{"explanation":{}}',
    });
  });

  test.each(['/', '/start.json', '/nothing'])(
    'says at %s that nothing from elsewhere may be loaded',
    async (path) => {
      const { headers } = await ask(path);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|data:|\*/u);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    },
  );

  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example'])(
    'refuses a page that calls it %s, which DNS rebinding does',
    async (host) => {
      const count = asked.length;
      await expect(ask('/start.json', { headers: { Host: host } })).resolves.toMatchObject({ status: 403 });
      await expect(question({ Host: host })).resolves.toMatchObject({ status: 403 });
      expect(asked).toHaveLength(count);
    },
  );

  test('takes its names without the port at port 80, which clients leave out', () => {
    const hosts = ['127.0.0.1', 'localhost', 'localhost:80', 'evil.example', '127.0.0.1:8080'];
    const reasons = hosts.map((host) => whyRefused({ headers: { host }, rawHeaders: ['Host', host] }, 80));
    expect(reasons.map((reason) => reason === undefined)).toEqual([true, true, true, false, false]);
  });

  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080', true],
    ['LocalHost:8080', 'http://localhost:8080', true],
    ['127.0.0.1:8080', 'http://127.0.0.1:80801', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080.example', false],
    ['127.0.0.1:8080', 'https://127.0.0.1:8080', false],
    ['127.0.0.1:8080', 'http://localhost:8080', false],
  ])('as %s, takes a question of a page at %s: %j', (host, origin, isTaken) => {
    const refusal = whyRefused({ headers: { host, origin }, rawHeaders: ['Host', host] }, 8080);
    expect(refusal === undefined).toBe(isTaken);
  });

  test.each(['http://evil.example', 'null', 'http://localhost', 'https://127.0.0.1'])(
    'refuses a question of a page at %s',
    async (origin) => {
      await expect(question({ Origin: origin })).resolves.toMatchObject({ status: 403 });
    },
  );

  test.each(['cross-site', 'same-site'])('refuses what a page asks %s', async (site) => {
    await expect(question({ 'Sec-Fetch-Site': site })).resolves.toMatchObject({ status: 403 });
    await expect(ask('/start.json', { headers: { 'Sec-Fetch-Site': site } })).resolves.toMatchObject({
      status: 403,
    });
  });

  test('opens by a link on another site', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    await expect(ask('/', { headers })).resolves.toMatchObject({ status: 200 });
  });

  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    '',
  ])('refuses a question as %j, which a form can send', async (type) => {
    const answer = await ask('/explain', { method: 'POST', headers: { 'Content-Type': type }, body: '{}' });
    expect(answer.status).toBe(415);
  });

  test.each(['Application/JSON', 'application/json;charset=utf-8', 'application/json ; charset=utf-8'])(
    'answers a question as %j',
    async (type) => {
      await expect(question({ 'Content-Type': type })).resolves.toMatchObject({ status: 200 });
    },
  );

  test('answers the longest question', async () => {
    await expect(question({}, '{}'.padEnd(16 * 1024 * 1024))).resolves.toMatchObject({ status: 200 });
  });

  test.each(['http://127.0.0.2', 'http://[::1]'])('does not listen at %s', async (origin) => {
    await expect(fetch(`${origin}:${playground.port}/`)).rejects.toThrow('fetch failed');
  });

  test('refuses a question that the page did not write', async () => {
    const answer = await question({}, '[]');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/^The question is not as the page writes it\. /u);
  });

  test('quotes only the beginning of what is wrong with a question', () => {
    const body = Buffer.from(JSON.stringify({ ['a'.repeat(100_000)]: 1 }));
    expect(() => readPlaygroundRequest(body)).toThrow(/^.{1,400}…$/u);
  });

  test('refuses too long a question with an answer', async () => {
    const answer = await question({}, ' '.repeat(16 * 1024 * 1024 + 1));
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('says which methods there are', async () => {
    await expect(ask('/', { method: 'POST' })).resolves.toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
    await expect(ask('/explain')).resolves.toMatchObject({ status: 405, headers: { allow: 'POST' } });
    await expect(ask('/../etc/passwd')).resolves.toMatchObject({ status: 404 });
  });

  test('survives a fault, and does not say what it was', async () => {
    await expect(question({}, '{"fail":1}')).resolves.toMatchObject({
      status: 500,
      body: 'The playground failed.',
    });
  });

  test('has no fault if a client goes in the middle of its question', async () => {
    const before = faults.length;
    const headers = { 'content-type': 'application/json', 'content-length': 100 };
    const call = request({
      host: '127.0.0.1',
      port: playground.port,
      path: '/explain',
      method: 'POST',
      headers,
    });
    const ended = new Promise((resolve) => void call.on('close', resolve).on('error', () => undefined));
    call.write('{');
    await once(call, 'socket');
    await eventually(() => call.socket?.bytesWritten !== 0);
    call.destroy();
    await ended;
    await question({}, '{"fail":1}');
    expect(faults.slice(before).map(String)).toEqual(['Error: a fault']);
  });
});
