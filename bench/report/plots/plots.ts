import { PLAIN_RULES } from '../../core/cases.ts';
import type { CoreResult, PeersResult, Results, ServicePoint } from '../results.ts';
import { duration, rate, ratio, size } from '../units.ts';
import { barChart } from './bar-chart.ts';
import { lineChart } from './line-chart.ts';

/** The pictures of a report, by the names of their files: those of the parts that were measured. */
export function plotsOf({ core, peers, service }: Results): ReadonlyMap<string, string> {
  const plots: [name: string, svg: string][] = [];
  if (core) plots.push(['core', corePlot(core.measured)], ['growth', growthPlot(core.measured)]);
  if (peers) plots.push(['peers', peersPlot(peers.measured)]);
  if (service)
    plots.push(['service', ratePlot(service.measured)], ['liveness', livenessPlot(service.measured)]);
  return new Map(plots.map(([name, svg]) => [`${name}.svg`, svg]));
}

function corePlot(results: readonly CoreResult[]): string {
  return barChart({
    title: 'The time of the core, as a multiple of the round trip: less is better',
    series: ['of the round trip from text to text', 'of the round trip from bytes to bytes'],
    groups: results.map(({ kind, bytes, rules, timings: [, roundTrip, ofBytes] }) => ({
      label: `${kind}, ${size(bytes)}, ${rules}`,
      bars: [roundTrip, ofBytes].map((one) => one && { value: one.ratio, label: ratio(one.ratio) }),
    })),
    marks: [0.5, 1],
    most: 2,
  });
}

function growthPlot(results: readonly CoreResult[]): string {
  const own = results.filter(({ kind }) => kind === 'customers');
  const over = (rules: string, index: number) =>
    own
      .filter((one) => one.rules === rules)
      .map(({ bytes, timings }) => [bytes, timings[index]?.least ?? NaN] as const);
  return lineChart({
    title: 'Time over the size of the payload, customers',
    series: [
      ...PLAIN_RULES.map(({ rules }) => ({ name: `core, ${rules}`, points: over(rules, 0) })),
      { name: 'round trip', points: over(PLAIN_RULES[0]?.rules ?? '', 1) },
    ],
    formatX: size,
    formatY: duration,
  });
}

function peersPlot(results: readonly PeersResult[]): string {
  return barChart({
    title: 'Time for the same masks: less is better (each group has its own scale)',
    series: results[0]?.timings.map(({ name }) => name) ?? [],
    groups: results.map(({ bytes, masks, timings }) => ({
      label: `${size(bytes)}, ${masks} masks`,
      bars: timings.map(({ least }) => ({ value: least, label: duration(least) })),
    })),
    scaled: 'each group',
  });
}

function ratePlot(points: readonly ServicePoint[]): string {
  return servicePlot(
    'Requests a second: more is better (each group has its own scale)',
    points,
    ({ requestsPerSecond: value }) => ({ value, label: rate(value) }),
  );
}

function livenessPlot(points: readonly ServicePoint[]): string {
  return servicePlot(
    'Latency of /health/liveness under load, 99th percentile: less is better (own scales)',
    points,
    ({ liveness: { p99 } }) => ({ value: p99, label: duration(p99) }),
  );
}

function servicePlot(
  title: string,
  points: readonly ServicePoint[],
  barOf: (contender: ServicePoint['contenders'][number]) => { value: number; label: string },
): string {
  return barChart({
    title,
    series: seriesOf(points),
    groups: points.map((point) => ({ label: labelOf(point), bars: point.contenders.map(barOf) })),
    scaled: 'each group',
  });
}

function seriesOf([point]: readonly ServicePoint[]): readonly string[] {
  return point?.contenders.map(({ name }) => name) ?? [];
}

function labelOf({ kilobytes, concurrency }: ServicePoint): string {
  return `${kilobytes} KB, ${concurrency} at once`;
}
