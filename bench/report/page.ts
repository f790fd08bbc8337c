import { hostileSection } from './hostile.ts';
import { plotsOf } from './plots/plots.ts';
import { PARTS, type Machine, type Results, type ServicePoint } from './results.ts';
import { cellsOf, isMet, rowsOf } from './rows.ts';
import { table } from './table.ts';
import { filledTemplate } from './template.ts';
import { duration, rate, size } from './units.ts';

/** The page about performance: its template, with what was measured put in. */
export function page(measured: Results): string {
  return filledTemplate('performance.md.tmpl', valuesFor(measured, plotsOf(measured)));
}

function valuesFor(measured: Results, plots: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const plot = (name: string, alternative: string): [string, string] => [
    `${name} plot`,
    plots.has(`${name}.svg`) ? `![${alternative}](performance/${name}.svg)` : 'Not measured.',
  ];
  return new Map([
    ['machine', machineOf(measured)],
    ['summary', summaryOf(measured)],
    ['table', tableOf(measured)],
    ['latencies', latenciesOf(measured.service?.measured ?? [])],
    ['memory', memoryOf(measured)],
    ['sizes', sizesOf(measured)],
    ['hostile', hostileSection(measured.hostile?.measured)],
    plot('core', 'The time of the core by that of the round trip'),
    plot('growth', 'Time over the size of the payload'),
    plot('peers', 'The time of the core and of its peers'),
    plot('service', 'Requests a second'),
    plot('liveness', 'The latency of the liveness under load'),
  ]);
}

function machineOf(measured: Results): string {
  const parts = PARTS.flatMap((part) => {
    const machine = measured[part]?.machine;
    return machine ? [{ part, words: inWords(machine) }] : [];
  });
  const [first] = parts;
  if (first === undefined) return 'Nothing has been measured.';
  if (parts.every(({ words }) => words === first.words)) return `Measured on ${first.words}.`;
  return parts.map(({ part, words }) => `- ${part}: measured on ${words}.`).join('\n');
}

/** A machine in a sentence. */
export function inWords({ cores, memory, processor, system, node }: Machine): string {
  return `${cores} cores of ${processor}, ${memory} GB of memory, ${system}, Node.js ${node}`;
}

function summaryOf(measured: Results): string {
  const met = rowsOf(measured).flatMap((row) => isMet(row) ?? []);
  const missing = PARTS.filter((part) => measured[part] === undefined);
  if (missing.length === PARTS.length) return '';
  const bars = `${met.filter(Boolean).length} of ${met.length} bars are met.`;
  return missing.length === 0 ? bars : `${bars} Not measured yet: ${missing.join(', ')}.`;
}

function tableOf(measured: Results): string {
  const head = ['Ratio', 'Second', 'What', 'Ours', 'Other', 'Bar', ''];
  return table(head, rowsOf(measured).map(cellsOf), [0, 1]);
}

function latenciesOf(points: readonly ServicePoint[]): string {
  if (points.length === 0) return 'Not measured.';
  const head = ['Point', 'Server', 'Requests', '50 %', '90 %', '99 %', 'Liveness, 50 %', '99 %'];
  const rows = points.flatMap(({ kilobytes, concurrency, contenders }) =>
    contenders.map(({ name, requestsPerSecond, latency: { p50, p90, p99 }, liveness }) => [
      `${kilobytes} KB, ${concurrency} at once`,
      name,
      rate(requestsPerSecond),
      ...[p50, p90, p99, liveness.p50, liveness.p99].map(duration),
    ]),
  );
  return table(head, rows, [2, 3, 4, 5, 6, 7]);
}

function memoryOf({ footprint }: Results): string {
  const memory = footprint?.measured.memory ?? [];
  if (memory.length === 0) return 'Not measured.';
  const head = ['Server', 'In flight', 'Idle', 'Peak'];
  const rows = memory.map(({ name, kilobytes, concurrency, idle, peak }) => [
    name,
    `${concurrency} times ${kilobytes} KB`,
    size(idle),
    size(peak),
  ]);
  return table(head, rows, [2, 3]);
}

function sizesOf({ footprint }: Results): string {
  const sizes = footprint?.measured.sizes ?? [];
  if (sizes.length === 0)
    return 'Neither the standalone package nor the image was built where this was measured.';
  return table(
    ['Delivered', 'Size'],
    sizes.map(({ name, bytes }) => [name, size(bytes)]),
    [1],
  );
}
