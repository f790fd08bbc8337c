import type { HostileResult } from './results.ts';
import { table } from './table.ts';
import { duration, ratio, significant, size } from './units.ts';

/** The most that a request may cost, by that of ordinary records of its size. */
const MOST_RATIO = 5;
/** The most that ten times the size may cost. */
const MOST_GROWTH = 12;
/** The most that a decision may cost, by what its entries and names allow. */
const MOST_OF_DECISION = 1;

/** The section about hostile requests, in Markdown. */
export function hostileSection(measured: HostileResult | undefined): string {
  if (measured === undefined) return 'Not measured.';
  const { bytes, names, ordinary, payloads, decisions } = measured;
  const inOrder = payloads.toSorted((a, b) => b.ratio - a.ratio);
  const rows = inOrder.map((one) => [
    ratio(one.ratio),
    ratio(one.growth),
    one.name,
    one.answer === 'not run' ? `at least ${duration(one.cpu)}` : duration(one.cpu),
    met(one.ratio <= MOST_RATIO && one.growth <= MOST_GROWTH),
  ]);
  const ofDecisions = decisions
    .toSorted((a, b) => b.ratio - a.ratio)
    .map((one) => [ratio(one.ratio), one.name, duration(one.cpu), met(one.ratio <= MOST_OF_DECISION)]);
  return [
    `Payloads of ${size(bytes)}. Ordinary records of that size take ${duration(ordinary)}.`,
    table(['Ratio', 'Growth', 'Payload', 'CPU', ''], rows, [0, 1, 3]),
    `Decisions with ${significant(names)} names.`,
    table(['Ratio', 'Decision', 'CPU', ''], ofDecisions, [0, 2]),
  ].join('\n\n');
}

function met(isMet: boolean): string {
  return isMet ? 'met' : '**not met**';
}
