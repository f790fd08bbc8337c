import { DEFAULT_MASK, KB, KNOWN, NEVER_SEEN, REMOVE_RULES } from '../core/cases.ts';
import type {
  CoreResult,
  DecisionsResult,
  Footprint,
  PeersResult,
  PlacesResult,
  ProtocolsResult,
  Results,
  ServicePoint,
} from './results.ts';
import { duration, rate, ratio, significant, size } from './units.ts';

/** One line of the table. */
export interface Row {
  readonly ratio: number;
  readonly second?: number | undefined;
  readonly what: string;
  readonly ours: string;
  readonly other: string;
  readonly bar?: Bar | undefined;
}

interface Bar {
  readonly limit: number;
  readonly is: 'at most' | 'at least';
}

type Timing = CoreResult['timings'][number];

const NO_SLOWER: Bar = { limit: 1, is: 'at most' };
/** No slower, but for what measuring the same twice differs by. */
const AS_FAST: Bar = { limit: 1.05, is: 'at most' };
/** A request with a decision never seen before, against one with a known decision: with few rules, and with many. */
const NEARLY_KNOWN: Bar = { limit: 1.5, is: 'at most' };
const MANY_NEARLY_KNOWN: Bar = { limit: 3, is: 'at most' };
/** What a rule of a decision never seen before adds, in milliseconds. */
const TIME_OF_A_RULE = 0.003;
const NO_FEWER: Bar = { limit: 1, is: 'at least' };
/** Of the service, by requests a second of what anyone would write by hand. */
const MANY_MORE: Bar = { limit: 1.6, is: 'at least' };
/** Of the core, with many rules that hit every record. */
const MUCH_FASTER: Bar = { limit: 0.75, is: 'at most' };
/** At most five percent fewer. */
const NEARLY_AS_MANY: Bar = { limit: 0.95, is: 'at least' };
/** No slower than the core plus ten percent. */
const NEARLY_THE_CORE: Bar = { limit: 1.1, is: 'at most' };
const LINEAR: Bar = { limit: 11, is: 'at most' };
const FRUGAL: Bar = { limit: 4, is: 'at most' };
/** Of a command by a process that does nothing. */
const QUICK_COMMAND: Bar = { limit: 2, is: 'at most' };
/** The most that the idle service may have above a process that does nothing, in bytes. */
const IDLE_MEMORY = 45_000_000;

/** The most that a place may take above idle for a stream of records, whatever its length, in bytes. */
const STREAM_MEMORY = 64_000_000;

/**
 * Where the stricter bar of the core begins, in bytes, for which rules, and where all of its bars end, in rules. What a rule adds is
 * told where that stricter bar begins and the others end: with few rules it is what a decision costs, however few rules it has.
 */
const LEAST_BYTES = 20 * KB;
const MANY_RULES = '20 rules';
const MOST_RULES = 20;

/** Everything that was measured, in the order of the parts. */
export function rowsOf({ core, peers, service, decisions, protocols, places, footprint }: Results): Row[] {
  return [
    ...(core?.measured ?? []).flatMap(coreRows),
    ...(core?.measured ?? []).flatMap(growthRows),
    ...(peers?.measured ?? []).flatMap(peersRows),
    ...(service?.measured ?? []).flatMap(serviceRows),
    ...(decisions?.measured ?? []).map(decisionsRow),
    ...(protocols ? protocolsRows(protocols.measured) : []),
    ...(places ? placesRows(places.measured) : []),
    ...(footprint ? footprintRows(footprint.measured) : []),
  ];
}

/** Whether a row is within its bar; undefined where it has none. */
export function isMet({ ratio: value, bar }: Row): boolean | undefined {
  if (bar === undefined) return undefined;
  return bar.is === 'at most' ? value <= bar.limit : value >= bar.limit;
}

function coreRows(result: CoreResult): Row[] {
  const { kind, bytes, rules, count, timings } = result;
  const [core, roundTrip, ofBytes, other] = timings;
  if (!core || !roundTrip || !ofBytes) return [];
  const what = `core: ${kind}, ${size(bytes)}, ${rules}`;
  const isMask = other?.name === DEFAULT_MASK;
  const isCompared = !isMask && !rules.endsWith(NEVER_SEEN);
  const bar = count <= MOST_RULES && isCompared ? coreBar(bytes, rules) : undefined;
  const row = { ...compared(what, core, roundTrip), second: ofBytes.ratio, bar };
  if (!other) return [row];
  const rows = [row, { ...compared(what, core, other), bar: otherBar(rules, other.name) }];
  if (other.name !== KNOWN || count < MOST_RULES || bytes > LEAST_BYTES) return rows;
  const added = (core.least - other.least) / count;
  return [
    ...rows,
    {
      ratio: added / TIME_OF_A_RULE,
      what: `${what}: what a rule adds, by ${duration(TIME_OF_A_RULE)}`,
      ours: duration(added),
      other: `${other.name} ${duration(other.least)}`,
      bar: NO_SLOWER,
    },
  ];
}

/** Rules that hit every record may take less than the rest: a round trip writes all of it anew. */
function coreBar(bytes: number, rules: string): Bar {
  return bytes >= LEAST_BYTES && rules === MANY_RULES ? MUCH_FASTER : NO_SLOWER;
}

function otherBar(rules: string, other: string): Bar | undefined {
  return other === DEFAULT_MASK && rules === REMOVE_RULES ? AS_FAST : undefined;
}

function compared(what: string, core: Timing, other: Timing): Row {
  return {
    ratio: other.ratio,
    what,
    ours: duration(core.least),
    other: `${other.name} ${duration(other.least)}`,
  };
}

/** What ten times the payload takes. */
function growthRows({ kind, bytes, rules, growth }: CoreResult): Row[] {
  const [whole, tenth] = growth ?? [];
  if (!whole || !tenth) return [];
  const what = `growth: ${kind}, ${size(bytes / 10)} to ${size(bytes)}, ${rules}`;
  const other = `${size(bytes / 10)} ${duration(tenth.least)}`;
  return [{ ratio: tenth.ratio, what, ours: duration(whole.least), other, bar: LINEAR }];
}

function peersRows({ bytes, masks, timings }: PeersResult): Row[] {
  const [core, ...peers] = timings;
  if (!core) return [];
  return peers.map((peer) => compared(`peers: ${size(bytes)}, ${masks} masks`, core, peer));
}

function decisionsRow({ rules, count, bytes, known, fresh, ratio: value }: DecisionsResult): Row {
  return {
    ratio: value,
    what: `decisions: ${size(bytes)}, ${rules}`,
    ours: duration(fresh),
    other: `${KNOWN} ${duration(known)}`,
    bar: count <= MOST_RULES ? NEARLY_KNOWN : MANY_NEARLY_KNOWN,
  };
}

function protocolsRows({ reading, service }: ProtocolsResult): Row[] {
  const rows = reading.flatMap(({ rules, timings: [document, decision] }) =>
    document && decision
      ? [{ ...compared(`protocols: reading a rules document, ${rules}`, document, decision), bar: NO_SLOWER }]
      : [],
  );
  return [...rows, ...service.flatMap(protocolRows)];
}

/** The last contender is the service with the protocol of the specification. */
function protocolRows({ kilobytes, concurrency, contenders }: ServicePoint): Row[] {
  const other = contenders.at(-1);
  if (!other) return [];
  return contenders.slice(0, -1).map((one) => ({
    ratio: one.ratio,
    second: one.latency.p99 / other.latency.p99,
    what: `protocols: ${one.name}, ${kilobytes} KB, ${concurrency} at once`,
    ours: rate(one.requestsPerSecond),
    other: `${other.name} ${rate(other.requestsPerSecond)}`,
    bar: NEARLY_AS_MANY,
  }));
}

function serviceRows({ kilobytes, concurrency, contenders }: ServicePoint): Row[] {
  const byHand = contenders.find(({ name }) => name === 'by hand');
  if (!byHand) return [];
  return contenders
    .filter((one) => one !== byHand)
    .map((one) => ({
      ratio: one.ratio,
      second: one.latency.p99 / byHand.latency.p99,
      what: `${one.name}: ${kilobytes} KB, ${concurrency} at once`,
      ours: rate(one.requestsPerSecond),
      other: `${byHand.name} ${rate(byHand.requestsPerSecond)}`,
      bar: one.name === 'service' ? MANY_MORE : undefined,
    }));
}

function placesRows({ library, proxy, processor, streams }: PlacesResult): Row[] {
  return [
    ...library.flatMap(libraryRows),
    ...proxy.flatMap(proxyRows),
    ...processor.flatMap(processorRows),
    ...streams.map(streamRow),
  ];
}

/** Memory above idle while a stream of records passes through a place. */
function streamRow({ name, format, bytes, milliseconds, idle, peak }: PlacesResult['streams'][number]): Row {
  const above = peak - idle;
  return {
    ratio: above / STREAM_MEMORY,
    what: `places: ${name}, ${size(bytes)} of ${format}, memory above idle, by ${size(STREAM_MEMORY)}`,
    ours: size(above),
    other: `${size((bytes / milliseconds) * 1000)}/s`,
    bar: NO_SLOWER,
  };
}

function libraryRows({ kilobytes, timings: [library, core] }: PlacesResult['library'][number]): Row[] {
  if (!library || !core) return [];
  return [{ ...compared(`places: library, ${kilobytes} KB`, library, core), bar: NEARLY_THE_CORE }];
}

/** The proxies against the one by hand, and the first of them against nginx. */
function proxyRows(point: ServicePoint): Row[] {
  const named = (name: string) => point.contenders.find((one) => one.name === name);
  const [proxy, byHand, overHttp, nginx] = [
    named('proxy'),
    named('by hand'),
    named('proxy (PDP over HTTP)'),
    named('nginx'),
  ];
  return [
    ...throughRow(point, proxy, byHand, NO_FEWER),
    ...throughRow(point, overHttp, byHand),
    ...throughRow(point, proxy, nginx),
  ];
}

type Contender = ServicePoint['contenders'][number];

function throughRow(
  { kilobytes, concurrency }: ServicePoint,
  one: Contender | undefined,
  other: Contender | undefined,
  bar?: Bar,
): Row[] {
  if (!one || !other) return [];
  return [
    {
      ratio: one.ratio / other.ratio,
      second: one.latency.p99 / other.latency.p99,
      what: `places: ${one.name}, ${kilobytes} KB, ${concurrency} at once`,
      ours: rate(one.requestsPerSecond),
      other: `${other.name} ${rate(other.requestsPerSecond)}`,
      bar,
    },
  ];
}

/** What the filter adds to the latency. */
function processorRows({ kilobytes, concurrency, contenders: [one, other] }: ServicePoint): Row[] {
  if (!one || !other) return [];
  const row = (what: string, [ours, others]: readonly [number, number]): Row => ({
    ratio: ours / others,
    what: `places: Envoy, ${kilobytes} KB, ${concurrency} at once, latency added at ${what}`,
    ours: duration(ours - others),
    other: `without the filter ${duration(others)}`,
  });
  return [
    row('the median', [one.latency.p50, other.latency.p50]),
    row('99 %', [one.latency.p99, other.latency.p99]),
  ];
}

function footprintRows({ starts, bareMemory, commands, memory }: Footprint): Row[] {
  return [
    ...startRows(starts),
    ...commandRows(commands),
    ...idleRows(memory, bareMemory),
    ...memoryRows(memory),
  ];
}

/** Processor time of commands by that of a process that does nothing. */
function commandRows([bare, ...commands]: Footprint['commands']): Row[] {
  if (!bare) return [];
  return commands.map(({ name, cpu, ratio: value }) => ({
    ratio: value,
    what: `footprint: command line, ${name}`,
    ours: duration(cpu),
    other: `${bare.name} ${duration(bare.cpu)}`,
    bar: QUICK_COMMAND,
  }));
}

/** Idle memory above that of a process that does nothing, by that. */
function idleRows([service]: Footprint['memory'], bare: number | undefined): Row[] {
  if (!service || bare === undefined) return [];
  const above = service.idle - bare;
  return [
    {
      ratio: above / IDLE_MEMORY,
      what: `footprint: idle memory above a bare process, by ${size(IDLE_MEMORY)}`,
      ours: size(above),
      other: `node ${size(bare)}`,
      bar: NO_SLOWER,
    },
  ];
}

function startRows([service, byHand]: Footprint['starts']): Row[] {
  if (!service || !byHand) return [];
  return [
    {
      ratio: service.milliseconds / byHand.milliseconds,
      what: 'footprint: start to first answer',
      ours: duration(service.milliseconds),
      other: `${byHand.name} ${duration(byHand.milliseconds)}`,
      bar: NO_SLOWER,
    },
  ];
}

/** Memory above idle by what is in flight. */
function memoryRows(memory: Footprint['memory']): Row[] {
  return memory
    .filter(({ name }) => name === 'service')
    .flatMap((service) => {
      const { kilobytes, concurrency, idle, peak } = service;
      const byHand = memory.find(
        (one) => one.name !== service.name && one.kilobytes === kilobytes && one.concurrency === concurrency,
      );
      if (!byHand) return [];
      const what = `footprint: memory above idle, ${concurrency} times ${size(kilobytes * KB)} in flight`;
      const other = `${byHand.name} ${significant(perByte(byHand))} times, ${size(byHand.peak - byHand.idle)}`;
      return [{ ratio: perByte(service), what, ours: size(peak - idle), other, bar: FRUGAL }];
    });
}

function perByte({ kilobytes, concurrency, idle, peak }: Footprint['memory'][number]): number {
  return (peak - idle) / (kilobytes * KB * concurrency);
}

/** A row as cells of the table. */
export function cellsOf(row: Row): readonly string[] {
  const { bar, second } = row;
  const met = isMet(row);
  return [
    ratio(row.ratio),
    second === undefined ? '' : ratio(second),
    row.what,
    row.ours,
    row.other,
    bar === undefined ? '' : `${bar.is} ${bar.limit}`,
    met === undefined ? '' : met ? 'met' : '**not met**',
  ];
}
