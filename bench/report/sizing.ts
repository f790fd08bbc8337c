import { inWords } from './page.ts';
import type { CoreResult, Results, SizingResult } from './results.ts';
import { table } from './table.ts';
import { filledTemplate } from './template.ts';
import { duration, ratio, significant, size } from './units.ts';

/** The share of a core that a pod should use: the default of the chart's autoscaling. */
const USED = 0.7;
/** The rules of the requests whose processor time is measured. */
const RULES_MEASURED = 4;
const RULES = [1, 4, 20, 200];
const RATES = [1000, 10_000, 100_000];
/** Shares of questions that the cache answers. */
const HIT_RATES = [0, 0.5, 0.9, 0.99];
const NOT_MEASURED = 'Not measured.';

/** The page about sizing: its template, with the model of what was measured put in. */
export function sizingPage(measured: Results): string {
  const { sizing, core } = measured;
  const found = sizing?.measured ?? [];
  const values = new Map([
    ['machine', sizing === undefined ? NOT_MEASURED : `Measured on ${inWords(sizing.machine)}.`],
    ['rates', ratesOf(found, core?.measured ?? [])],
    ['memory', memoryOf(measured)],
    ['pods', podsOf(found)],
    ['cache', cacheOf(found)],
    ['fit', fitOf(found)],
  ]);
  return filledTemplate('sizing.md.tmpl', values);
}

function of(name: string, found: readonly SizingResult[]): readonly SizingResult[] {
  return found.filter((one) => one.name === name);
}

/** Requests a second of one core, by payload and rules: the processor time of a request, and what other rules add in the core. */
function ratesOf(found: readonly SizingResult[], core: readonly CoreResult[]): string {
  const rows = of('one process', found).map(({ kilobytes, cpu }) => {
    const known = coreTime(core, kilobytes, RULES_MEASURED);
    const rates = RULES.map((rules) => {
      const more = coreTime(core, kilobytes, rules) - known;
      return Number.isNaN(more) ? 'not measured' : significant(1000 / (cpu + more));
    });
    return [`${kilobytes} KB`, duration(cpu)].concat(rates);
  });
  if (rows.length === 0) return NOT_MEASURED;
  const head = ['Payload', 'Processor time, 4 rules', ...RULES.map(rulesLabel)];
  return table(head, rows, [1, 2, 3, 4, 5]);
}

function rulesLabel(rules: number): string {
  return rules === 1 ? '1 rule' : `${rules} rules`;
}

/** In milliseconds; not a number if it was not measured. */
function coreTime(core: readonly CoreResult[], kilobytes: number, rules: number): number {
  const result = core.find(
    (one) => one.kind === 'customers' && one.bytes === kilobytes * 1000 && one.rules === rulesLabel(rules),
  );
  return result?.timings[0]?.least ?? NaN;
}

function memoryOf({ footprint }: Results): string {
  const rows = (footprint?.measured.memory ?? [])
    .filter(({ name }) => name === 'service')
    .map(({ kilobytes, concurrency, idle, peak }) => {
      const inFlight = kilobytes * 1000 * concurrency;
      return [size(inFlight), size(idle), size(peak), ratio((peak - idle) / inFlight)];
    });
  if (rows.length === 0) return NOT_MEASURED;
  return table(['Payloads in progress', 'Idle', 'Peak', 'Above idle, by payload'], rows, [0, 1, 2, 3]);
}

/** Pods of one core, and what goes over the network, for rates of requests. */
function podsOf(found: readonly SizingResult[]): string {
  const rows = RATES.flatMap((perSecond) =>
    of('one process', found).map(({ kilobytes, cpu, answer }) => {
      const bits = perSecond * (kilobytes * 1000 + answer) * 8;
      return [
        `${significant(perSecond)}/s`,
        `${kilobytes} KB`,
        significant(podsFor(perSecond, cpu)),
        `${significant(perSecond)}/s`,
        `${significant(bits / 1e9)} Gbit/s`,
      ];
    }),
  );
  if (rows.length === 0) return NOT_MEASURED;
  const head = ['Requests', 'Payload', 'Pods of 1 core', 'Questions to the PDP', 'Payloads, in and out'];
  return table(head, rows, [0, 2, 3, 4]);
}

function podsFor(perSecond: number, cpu: number): number {
  return Math.ceil((perSecond * cpu) / 1000 / USED);
}

/** What the cache of decisions changes, for the smallest payload. */
function cacheOf(found: readonly SizingResult[]): string {
  const [asked] = of('one process', found);
  const [known] = of('decision cache', found);
  if (asked === undefined || known === undefined) return NOT_MEASURED;
  const [, perSecond = 0] = RATES;
  const rows = HIT_RATES.map((hits) => {
    const cpu = hits * known.cpu + (1 - hits) * asked.cpu;
    return [
      `${significant(hits * 100)} %`,
      `${significant(perSecond * (1 - hits))}/s`,
      significant(podsFor(perSecond, cpu)),
    ];
  });
  return table(
    ['Answered by the cache', `Questions at ${significant(perSecond)}/s`, 'Pods of 1 core'],
    rows,
    [0, 1, 2],
  );
}

/** How much more a request costs if two processes share the port. */
function fitOf(found: readonly SizingResult[]): string {
  const two = of('two processes', found);
  const rows = of('one process', found).flatMap((one) => {
    const other = two.find(({ kilobytes }) => kilobytes === one.kilobytes);
    if (other === undefined) return [];
    return [[`${one.kilobytes} KB`, duration(one.cpu), duration(other.cpu), ratio(other.cpu / one.cpu)]];
  });
  if (rows.length === 0) return NOT_MEASURED;
  return table(['Payload', 'One process', 'Two processes', 'Ratio'], rows, [1, 2, 3]);
}
