import _ from 'lodash';
import { scan } from '../../src/core/json/scan.ts';
import { inProcess, timed, type Contestant } from '../measure/contestant.ts';
import { inTurn, measurePaired, type Effort, type Timing } from '../measure/paired.ts';
import { PAYLOADS } from '../payloads/payload.ts';
import type { CoreResult } from '../report/results.ts';
import { CORE_CASES, FIRST_NUMBER, KB, NOTHING_RULES, type CoreCase } from './cases.ts';
import { enforceCore, MAX_DEPTH } from './core.ts';
import { verifyCore } from './verify.ts';

const held: { parsed?: unknown } = {};
/** Bytes of records that have every shape. */
const FEW = 20 * KB;

/** Measures the core on every case up to a size, in bytes. */
export async function measureCore(
  effort: Effort,
  largest: number,
  say: (line: string) => void,
): Promise<CoreResult[]> {
  const cases = CORE_CASES.filter(({ bytes }) => bytes <= largest);
  cases.forEach(verifyCore);
  const results = await inTurn(cases, async (one) => {
    const result = await measure(one, effort);
    say(`${one.kind}, ${one.bytes / 1000} KB, ${one.rules}: ${result.timings[1]?.ratio.toFixed(2)}`);
    return result;
  });
  // After all others, whom large payloads would leave memory to collect.
  const growths = await inTurn(cases, async (one) =>
    hasTenth(one) ? measureGrowth(one, effort) : undefined,
  );
  return _.zipWith(results, growths, (result, growth) => ({ ...result, growth }));
}

async function measure(one: CoreCase, effort: Effort): Promise<CoreResult> {
  const { kind, bytes, rules, count } = one;
  const text = PAYLOADS[kind](bytes);
  // V8 forgets the shapes of objects that nobody holds, and would have to find them out again after each collection. A few
  // records have them all; more would have to be looked through in each collection, whoever's it is.
  held.parsed = JSON.parse(PAYLOADS[kind](Math.min(bytes, FEW)));
  const timings = await measurePaired(contestants(one, text), effort);
  return { kind, bytes, rules, count, timings };
}

/** Whether the core is measured on a tenth of the payload, too. */
function hasTenth({ kind, bytes, rules }: CoreCase): boolean {
  return CORE_CASES.some((one) => one.kind === kind && one.rules === rules && one.bytes === bytes / 10);
}

/** The core on the payload and on one of a tenth of its size, back to back. */
async function measureGrowth({ kind, bytes: size, decision }: CoreCase, effort: Effort): Promise<Timing[]> {
  const bytes = Buffer.from(PAYLOADS[kind](size));
  const tenth = Buffer.from(PAYLOADS[kind](size / 10));
  const asked = Buffer.from(decision);
  return measurePaired(
    [timed('core', () => enforceCore(bytes, asked)), timed('a tenth', () => enforceCore(tenth, asked))],
    effort,
  );
}

/** The core first: the others are what it is compared with. */
function contestants({ rules, decision, isNew, other }: CoreCase, text: string): Contestant[] {
  const bytes = Buffer.from(text);
  const asked = Buffer.from(decision);
  const next = isNew === true ? numbered(decision) : () => asked;
  const entries = [
    inProcess('core', () => enforceCore(bytes, next())),
    inProcess('round trip', () => JSON.stringify(JSON.parse(text))),
    inProcess('round trip of bytes', () => Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))),
  ];
  if (other !== undefined) {
    const otherAsked = Buffer.from(other.decision);
    return [...entries, inProcess(other.name, () => enforceCore(bytes, otherAsked))];
  }
  return rules === NOTHING_RULES
    ? [...entries, inProcess('scan', () => scan(bytes, MAX_DEPTH).bytes)]
    : entries;
}

/** Decisions that differ in their number. */
function numbered(decision: string): () => Buffer {
  const bytes = Buffer.from(decision);
  const first = String(FIRST_NUMBER);
  const places = Array.from(decision.matchAll(new RegExp(first, 'gu')), ({ index }) => index);
  let number = FIRST_NUMBER;
  return () => {
    const next = String(++number);
    for (const place of places) bytes.write(next, place, 'latin1');
    return bytes;
  };
}
