import lodash from 'lodash';
import type { Measurement } from '../../tests/faults/instructions.ts';

/** What was seen of a service under mixed load. */
export interface Soak {
  readonly seconds: number;
  /** How many requests of well-behaved callers ended how. */
  readonly outcomes: Readonly<Partial<Record<string, number>>>;
  readonly faults: number;
  /** Faults that did not end as documented, by name. */
  readonly wrongFaults: readonly string[];
  /** At equal intervals, the first one once the service is warm. */
  readonly memory: readonly Measurement[];
}

const MEGABYTE = 1024 * 1024;
/** How much the median of the heap may grow between the first and the last third, in bytes. */
const HEAP_TOLERANCE = 10 * MEGABYTE;

/** What the soak shows to be wrong; nothing where all is well. */
export function findings({ outcomes, wrongFaults, memory }: Soak): readonly string[] {
  const lost = Object.keys(lodash.omit(outcomes, 'masked'));
  const growth = heapGrowth(memory);
  return [
    ...(outcomes['masked'] === undefined ? ['no request was answered'] : []),
    ...lost.map((outcome) => `${outcomes[outcome]} requests ended otherwise: ${outcome}`),
    ...lodash.uniq(wrongFaults).map((name) => `not answered as documented: ${name}`),
    ...(growth > HEAP_TOLERANCE ? [`the heap grew by ${megabytes(growth)} MB`] : []),
  ];
}

/** The report in Markdown. */
export function soakReport(soak: Soak): string {
  const { seconds, outcomes, faults, wrongFaults, memory } = soak;
  const problems = findings(soak);
  const verdict =
    problems.length === 0 ? 'Nothing lost, memory flat.' : problems.map((one) => `- ${one}`).join('\n');
  return `# Soak

${verdict}

| What | |
| --- | --- |
| Duration | ${Math.round(seconds)} s |
| Requests | ${lodash.sum(Object.values(outcomes))} |
| – answered with the masked payload | ${outcomes['masked'] ?? 0} |
| Faults of callers and of the PDP | ${faults} |
| – not answered as documented | ${wrongFaults.length} |
| Growth of the heap, from the first third to the last | ${megabytes(heapGrowth(memory))} MB |

| Part of the time | Heap, MB | External, MB | Resident, MB | Handles |
| --- | --- | --- | --- | --- |
${memory.map((one, i) => rowOf(one, i / (memory.length - 1))).join('\n')}
`;
}

function rowOf({ heapUsed, external, rss, resources }: Measurement, part: number): string {
  const cells = [...[heapUsed, external, rss].map(megabytes), String(resources.length)];
  return `| ${Math.round(part * 100)} % | ${cells.join(' | ')} |`;
}

function heapGrowth(memory: readonly Measurement[]): number {
  const heaps = memory.map(({ heapUsed }) => heapUsed);
  const third = Math.ceil(heaps.length / 3);
  return median(heaps.slice(-third)) - median(heaps.slice(0, third));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
