import type { HostileResult } from './results.ts';
import { table } from './table.ts';
import { duration, ratio, significant, size } from './units.ts';

/** The most that a request may cost, by that of ordinary records of its size. */
const MOST_RATIO = 5;
/** The most that ten times the size may cost. */
const MOST_GROWTH = 12;
/** The longest that the liveness may take to answer, in milliseconds. */
const MOST_LIVENESS = 250;
/** The most that a decision may cost, by what its entries and names allow. */
const MOST_OF_DECISION = 1;

/** The section about hostile requests, in Markdown. */
export function hostileSection(measured: HostileResult | undefined): string {
  if (measured === undefined) return 'Not measured.';
  const { bytes, names, ordinary, ordinaryRequest, payloads, decisions } = measured;
  const inOrder = payloads.toSorted((a, b) => b.request.ratio - a.request.ratio);
  const ofDecisions = decisions
    .toSorted((a, b) => b.ratio - a.ratio)
    .map((one) => [ratio(one.ratio), one.name, duration(one.cpu), met(one.ratio <= MOST_OF_DECISION)]);
  return [
    `Payloads of ${size(bytes)}. In the core, ordinary records of that size take ${duration(ordinary)}, and a request with them ${duration(ordinaryRequest)}.`,
    table(HEAD, inOrder.map(rowOf), [1, 2, 3, 4, 5, 6, 7]),
    `Decisions with ${significant(names)} names.`,
    table(['Ratio', 'Decision', 'CPU', ''], ofDecisions, [0, 2]),
  ].join('\n\n');
}

const HEAD = ['Payload', 'Request', 'Ratio', 'Growth', 'Liveness', 'Core', 'Core ratio', 'Core growth', ''];

/** The bars are for the request. */
function rowOf({
  name,
  request,
  liveness,
  answer,
  ...core
}: HostileResult['payloads'][number]): readonly string[] {
  const least = answer === 'not run' ? 'at least ' : '';
  const cells = ({ cpu, ...by }: typeof core): string[] => [
    `${least}${duration(cpu)}`,
    ratio(by.ratio),
    ratio(by.growth),
  ];
  const isMet = request.ratio <= MOST_RATIO && request.growth <= MOST_GROWTH && liveness <= MOST_LIVENESS;
  return [name, ...cells(request), duration(liveness), ...cells(core), met(isMet)];
}

function met(isMet: boolean): string {
  return isMet ? 'met' : '**not met**';
}
