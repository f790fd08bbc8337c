import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

const { SERVICE_URL, HEADERS = '{}', REQUEST, EXPECTED, TLS_FOLDER } = process.env;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function fileOf(name) {
  try {
    return readFileSync(`${TLS_FOLDER}/${name}`);
  } catch {
    return undefined;
  }
}

function send() {
  const url = new URL('/enforce', SERVICE_URL);
  const headers = { ...JSON.parse(HEADERS), 'Content-Type': 'application/json' };
  const tls = { ca: fileOf('ca/ca.crt'), cert: fileOf('client/tls.crt'), key: fileOf('client/tls.key') };
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(30_000) };
  if (url.protocol === 'http:') return httpRequest(url, options);
  return httpsRequest(url, { ...options, ...(TLS_FOLDER === undefined ? {} : tls) });
}

async function enforce() {
  const request = send();
  request.end(REQUEST);
  const [response] = await once(request, 'response');
  return { status: response.statusCode, body: await text(response) };
}

const answer = await enforce().catch((error) =>
  fail(`${SERVICE_URL} cannot be reached: ${error.message || error.code}`),
);
if (answer.status !== 200) fail(`Expected 200, but the answer is ${answer.status}: ${answer.body}`);
if (EXPECTED !== undefined && !isDeepStrictEqual(JSON.parse(answer.body), JSON.parse(EXPECTED))) {
  fail(`Expected ${EXPECTED}, but the answer is ${answer.body}`);
}
process.stdout.write(`Enforced: ${answer.body}\n`);
