// Callers in a pod: `node callers.mjs NAME=URL...`. Some keep a connection each and pause between requests, others connect
// for each request. GET /take on port 9000 answers what became of the requests since the last time.
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const { KEPT = '60', FRESH = '4', METHOD = 'POST', BODY = '' } = process.env;
const PAUSE = 400;

let taken = { sent: 0, answered: 0, lost: {} };

function count(outcome) {
  taken.sent += 1;
  if (outcome === '200') taken.answered += 1;
  else taken.lost[outcome] = (taken.lost[outcome] ?? 0) + 1;
}

function ask(url, agent, kind) {
  return new Promise((resolve) => {
    const headers = METHOD === 'POST' ? { 'Content-Type': 'application/json' } : {};
    const request = http.request(url, { method: METHOD, agent, headers, timeout: 15_000 }, (response) => {
      response.resume();
      response.on('error', (error) => resolve(`${kind} body ${error.code}`));
      response.on('end', () =>
        resolve(response.statusCode === 200 ? '200' : `${kind} ${response.statusCode}`),
      );
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', (error) => resolve(`${kind} ${error.code ?? error.message}`));
    request.end(METHOD === 'POST' ? BODY : undefined);
  });
}

async function call(url, agent, kind) {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a caller asks again when it is answered
    count(await ask(url, agent, kind));
    // oxlint-disable-next-line no-await-in-loop -- a caller pauses
    await wait(PAUSE * (0.5 + Math.random()));
  }
}

const [url] = process.argv.slice(2);
for (let i = 0; i < Number(KEPT); i += 1) {
  void call(url, new http.Agent({ keepAlive: true, maxSockets: 1 }), 'kept');
}
for (let i = 0; i < Number(FRESH); i += 1) void call(url, new http.Agent({ keepAlive: false }), 'fresh');

http
  .createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(taken));
    if (request.url === '/take') taken = { sent: 0, answered: 0, lost: {} };
  })
  .listen(9000);
