import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { enforcing } from '../support/caller.ts';
import { startAgainAndAgain } from './again.ts';
import { MASKED, PAYLOAD } from './unruly-callers.ts';

/** How a request ended: with the masked payload, with a problem of this status, without a connection, or cut off. */
type Outcome = 'masked' | `problem ${number}` | 'not connected' | 'cut' | 'something else';

export interface Load {
  /** How many requests ended how, so far. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Ends it, once the requests under way are over. */
  readonly stop: () => Promise<void>;
}

const ENFORCE = enforcing(PAYLOAD);
/** Between the requests of a caller that finds nobody there, in milliseconds. */
const PAUSE = 10;

/** Has callers send one request after the other, each over a connection of its own that it keeps. `closeAll` ends it too. */
export function startLoad(port: number, callers: number): Load {
  const outcomes: Partial<Record<Outcome, number>> = {};
  const stop = startAgainAndAgain(callers, (isOver) => callUntil(isOver, port, outcomes));
  return { outcomes, stop };
}

async function callUntil(
  isOver: () => boolean,
  port: number,
  outcomes: Partial<Record<Outcome, number>>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver()) {
    // oxlint-disable-next-line no-await-in-loop -- a caller waits for its answer
    const outcome = await callOnce(port, agent);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    // oxlint-disable-next-line no-await-in-loop
    if (outcome !== 'masked') await wait(PAUSE);
  }
  agent.destroy();
}

async function callOnce(port: number, agent: Agent): Promise<Outcome> {
  try {
    return await answered(port, agent);
  } catch (error) {
    return Error.isError(error) && 'code' in error && error.code === 'ECONNREFUSED' ? 'not connected' : 'cut';
  }
}

async function answered(port: number, agent: Agent): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { host: '127.0.0.1', port, agent, method: 'POST', path: '/enforce' };
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ENFORCE) };
  request({ ...options, headers }, resolve)
    .once('error', reject)
    .end(ENFORCE);
  const answer = await promise;
  const body = await text(answer);
  if (answer.statusCode === 200) return body === MASKED ? 'masked' : 'something else';
  return body.includes('planted-ssn') ? 'something else' : `problem ${answer.statusCode ?? 0}`;
}
