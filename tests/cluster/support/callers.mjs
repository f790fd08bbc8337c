// Callers in a pod: `node callers.mjs URL`. Some keep a connection each and pause between requests, others connect for each
// request. GET /take on port 9000 answers what became of the requests since the last time. TLS is a folder with the authority
// of the server, and the certificate of the callers if they have one. No answer may have the text HIDDEN.
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const {
  KEPT = '60',
  FRESH = '4',
  PAUSE = '400',
  METHOD = 'POST',
  BODY = '',
  HIDDEN = '',
  TLS = '',
} = process.env;

const [url] = process.argv.slice(2);
const client = url.startsWith('https:') ? https : http;

let taken = { sent: 0, answered: 0, lost: {} };

function count(outcome) {
  taken.sent += 1;
  if (outcome === '200') taken.answered += 1;
  else taken.lost[outcome] = (taken.lost[outcome] ?? 0) + 1;
}

function fileOf(name) {
  const file = `${TLS}/${name}`;
  return existsSync(file) ? readFileSync(file) : undefined;
}

function outcomeOf(status, answer, kind) {
  if (HIDDEN !== '' && answer.includes(HIDDEN)) return `${kind} unmasked`;
  return status === 200 ? '200' : `${kind} ${status}`;
}

function ask(agent, kind) {
  return new Promise((resolve) => {
    const headers = METHOD === 'POST' ? { 'Content-Type': 'application/json' } : {};
    const request = client.request(url, { method: METHOD, agent, headers, timeout: 15_000 }, (response) => {
      text(response).then(
        (answer) => resolve(outcomeOf(response.statusCode, answer, kind)),
        (error) => resolve(`${kind} body ${error.code}`),
      );
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', (error) => resolve(`${kind} ${error.code ?? error.message}`));
    request.end(METHOD === 'POST' ? BODY : undefined);
  });
}

async function call(agent, kind) {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a caller asks again when it is answered
    count(await ask(agent, kind));
    // oxlint-disable-next-line no-await-in-loop -- a caller pauses
    await wait(Number(PAUSE) * (0.5 + Math.random()));
  }
}

const tls = { ca: fileOf('ca.crt'), cert: fileOf('tls.crt'), key: fileOf('tls.key') };
for (let i = 0; i < Number(KEPT); i += 1) {
  void call(new client.Agent({ ...tls, keepAlive: true, maxSockets: 1 }), 'kept');
}
for (let i = 0; i < Number(FRESH); i += 1) {
  void call(new client.Agent({ ...tls, keepAlive: false, maxCachedSessions: 0 }), 'fresh');
}

http
  .createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(taken));
    if (request.url === '/take') taken = { sent: 0, answered: 0, lost: {} };
  })
  .listen(9000);
