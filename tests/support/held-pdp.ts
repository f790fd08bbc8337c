import { createServer, type ServerResponse } from 'node:http';
import { listening, portOf } from '../pdp/transport/setup.ts';

/** A PDP that holds its answers back. */
interface HeldPdp {
  readonly port: number;
  /** How many requests it got, and how many of them were given up. */
  readonly seen: { asked: number; gone: number };
  /** Answers what it was asked so far, by a decision. */
  readonly answer: (decision: string) => void;
}

/** Starts a PDP that says nothing until it is told what. */
export async function startHeldPdp(): Promise<HeldPdp> {
  const seen = { asked: 0, gone: 0 };
  const held: ServerResponse[] = [];
  const pdp = createServer((request, response) => {
    request.resume();
    seen.asked++;
    held.push(response.once('close', () => (seen.gone += Number(!response.writableFinished))));
  });
  await listening(pdp);
  return {
    port: portOf(pdp),
    seen,
    answer: (decision) => held.splice(0).forEach((response) => void response.end(decision)),
  };
}
