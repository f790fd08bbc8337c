import { PLAIN_RULES } from '../../core/cases.ts';
import type { CoreResult, PeersResult, Results, ServicePoint } from '../results.ts';
import { duration, rate, ratio, size } from '../units.ts';
import { dotChart } from './dot-chart.ts';
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
  return dotChart({
    title: 'The time of the core: less is better',
    axis: 'multiple of the round trip, logarithmic',
    series: ['of the round trip from text to text', 'of the round trip from bytes to bytes'],
    groups: results.map(({ kind, bytes, rules, timings: [, roundTrip, ofBytes] }) => ({
      label: `${kind}, ${size(bytes)}, ${rules}`,
      values: [roundTrip?.ratio, ofBytes?.ratio],
    })),
    format: ratio,
    mark: 1,
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
    axes: ['size of the payload, logarithmic', 'time, logarithmic'],
    series: [
      ...PLAIN_RULES.map(({ rules }) => ({ name: `core, ${rules}`, points: over(rules, 0) })),
      { name: 'round trip', points: over(PLAIN_RULES[0]?.rules ?? '', 1) },
    ],
    formatX: size,
    formatY: duration,
  });
}

function peersPlot(results: readonly PeersResult[]): string {
  return dotChart({
    title: 'Time for the same masks: less is better',
    axis: 'time of one payload, logarithmic',
    series: results[0]?.timings.map(({ name }) => name) ?? [],
    groups: results.map(({ bytes, masks, timings }) => ({
      label: `${size(bytes)}, ${masks} masks`,
      values: timings.map(({ least }) => least),
    })),
    format: duration,
  });
}

function ratePlot(points: readonly ServicePoint[]): string {
  return dotChart({
    title: 'Throughput of the service: more is better',
    axis: 'requests a second, logarithmic',
    series: seriesOf(points),
    groups: points.map((point) => ({
      label: labelOf(point),
      values: point.contenders.map(({ requestsPerSecond }) => requestsPerSecond),
    })),
    format: rate,
  });
}

function livenessPlot(points: readonly ServicePoint[]): string {
  return dotChart({
    title: 'Latency of /health/liveness under load: less is better',
    axis: '99th percentile, logarithmic',
    series: seriesOf(points),
    groups: points.map((point) => ({
      label: labelOf(point),
      values: point.contenders.map(({ liveness }) => liveness.p99),
    })),
    format: duration,
  });
}

function seriesOf([point]: readonly ServicePoint[]): readonly string[] {
  return point?.contenders.map(({ name }) => name) ?? [];
}

function labelOf({ kilobytes, concurrency }: ServicePoint): string {
  return `${kilobytes} KB, ${concurrency} at once`;
}
