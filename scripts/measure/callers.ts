import { Agent, request, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';

interface CallersOptions {
  readonly port: number;
  readonly callers: number;
  /** Of the payload. */
  readonly bytes: number;
}

interface Enforced {
  /** How long each answer took, in milliseconds. */
  readonly answered: readonly number[];
  /** How many were answered with 503. */
  readonly refused: number;
}

/** Has callers enforce a payload, each one request after the other. */
export async function enforceUntil(end: number, { port, callers, bytes }: CallersOptions): Promise<Enforced> {
  const body = Buffer.from(`{"parameters":{},"vendor":{},"json":[${recordsOf(bytes)}]}`);
  const agent = new Agent({ keepAlive: true });
  const answered: number[] = [];
  let refused = 0;
  const call = async (): Promise<void> => {
    if (performance.now() >= end) return;
    const start = performance.now();
    const status = await enforce(port, agent, body);
    if (status === 200) answered.push(performance.now() - start);
    else refused++;
    await call();
  };
  await Promise.all(Array.from({ length: callers }, call));
  agent.destroy();
  return { answered, refused };
}

/** Records of about 150 bytes each. */
function recordsOf(bytes: number): string {
  const count = Math.max(1, Math.round(bytes / (record(1000).length + 1)));
  return Array.from({ length: count }, (_, id) => record(id)).join(',');
}

function record(id: number): string {
  return JSON.stringify({
    id,
    name: `Ann Lee ${id}`,
    ssn: '078-05-1120',
    country: ['US', 'CA', 'DE'][id % 3],
    address: { street: `Main Street ${id}`, zip: '94107' },
    balance: 1234.5,
  });
}

async function enforce(port: number, agent: Agent, body: Buffer): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  request({ host: '127.0.0.1', port, agent, method: 'POST', path: '/enforce', headers }, resolve)
    .once('error', reject)
    .end(body);
  const answer = await promise;
  for await (const chunk of answer) void chunk;
  return answer.statusCode ?? 0;
}
