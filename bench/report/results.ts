import * as z from 'zod';
import { latencies } from '../service/task.ts';

const timing = z.object({ name: z.string(), least: z.number(), median: z.number(), ratio: z.number() });

const machine = z.object({
  cores: z.number(),
  /** In gigabytes. */
  memory: z.number(),
  processor: z.string(),
  system: z.string(),
  node: z.string(),
});
export type Machine = z.output<typeof machine>;

export const coreResult = z.object({
  kind: z.string(),
  bytes: z.number(),
  rules: z.string(),
  count: z.number(),
  timings: z.array(timing),
  /** The core on this payload, and on one of a tenth of the bytes, with the same rules; absent if nobody asks for it. */
  growth: z.array(timing).optional(),
});
export type CoreResult = z.output<typeof coreResult>;

const peersResult = z.object({ bytes: z.number(), masks: z.number(), timings: z.array(timing) });
export type PeersResult = z.output<typeof peersResult>;

const servicePoint = z.object({
  kilobytes: z.number(),
  concurrency: z.number(),
  contenders: z.array(
    z.object({
      name: z.string(),
      requestsPerSecond: z.number(),
      /** Its requests a second by those of the contender that the others are compared with. */
      ratio: z.number(),
      latency: latencies,
      liveness: latencies,
    }),
  ),
});
export type ServicePoint = z.output<typeof servicePoint>;

const protocolsResult = z.object({
  /** From the bytes of an answer to a plan: of a rules document, and of a decision with the same rules. */
  reading: z.array(z.object({ rules: z.string(), timings: z.array(timing) })),
  /** The ratio is by the requests a second with the protocol of the specification. */
  service: z.array(servicePoint),
});
export type ProtocolsResult = z.output<typeof protocolsResult>;

const streamResult = z.object({
  /** The place. */
  name: z.string(),
  format: z.string(),
  /** How long the stream was. */
  bytes: z.number(),
  milliseconds: z.number(),
  /** Resident, in bytes. */
  idle: z.number(),
  peak: z.number(),
});
export type StreamResult = z.output<typeof streamResult>;

const placesResult = z.object({
  library: z.array(z.object({ kilobytes: z.number(), timings: z.array(timing) })),
  /** The ratio is by the requests a second through the proxy that is written by hand. */
  proxy: z.array(servicePoint),
  /** The ratio is by the requests a second through an Envoy without the filter. Empty without Envoy. */
  processor: z.array(servicePoint),
  /** Empty if the system does not say what memory processes take. */
  streams: z.array(streamResult).default([]),
});
export type PlacesResult = z.output<typeof placesResult>;

const footprint = z.object({
  starts: z.array(z.object({ name: z.string(), milliseconds: z.number() })),
  /** Resident memory of a process that does nothing, in bytes; undefined if the system does not tell. */
  bareMemory: z.number().optional(),
  /** Processor time of a command, in milliseconds, and by that of `node -e 0`. */
  commands: z.array(z.object({ name: z.string(), cpu: z.number(), ratio: z.number() })).default([]),
  /** Empty where the system does not tell. */
  memory: z.array(
    z.object({
      name: z.string(),
      kilobytes: z.number(),
      concurrency: z.number(),
      /** Resident, in bytes. */
      idle: z.number(),
      peak: z.number(),
    }),
  ),
  /** In bytes. */
  sizes: z.array(z.object({ name: z.string(), bytes: z.number() })),
});
export type Footprint = z.output<typeof footprint>;

/** Processor time. */
const hostileCost = z.object({
  /** In milliseconds. */
  cpu: z.number(),
  /** By that of ordinary records. */
  ratio: z.number(),
  /** By that of a tenth of the size. */
  growth: z.number(),
});

const hostileResult = z.object({
  /** How long the payloads are. */
  bytes: z.number(),
  /** How many names the decisions have. */
  names: z.number(),
  /** What ordinary records of that size take, in milliseconds of CPU. */
  ordinary: z.number(),
  /** The same of the service, for the whole request. */
  ordinaryRequest: z.number(),
  payloads: z.array(
    hostileCost.extend({
      name: z.string(),
      /** What the whole request takes of the service. */
      request: hostileCost,
      /** How long the liveness takes to answer meanwhile, at most, in milliseconds. */
      liveness: z.number(),
      /** The length of the answer, or the error. */
      answer: z.string(),
    }),
  ),
  /** The ratio is by what entries and names allow. */
  decisions: z.array(z.object({ name: z.string(), cpu: z.number(), ratio: z.number() })),
});
export type HostileResult = z.output<typeof hostileResult>;

const sizingResult = z.object({
  /** How the service is configured. */
  name: z.string(),
  kilobytes: z.number(),
  /** Processor time of a request with four masks, in milliseconds. */
  cpu: z.number(),
  requestsPerSecond: z.number(),
  /** The length of the answer, in bytes. */
  answer: z.number(),
});
export type SizingResult = z.output<typeof sizingResult>;

const decisionsResult = z.object({
  /** What is asked, and in what the decisions differ. */
  rules: z.string(),
  count: z.number(),
  /** The size of the payload. */
  bytes: z.number(),
  /** Processor time of a request, in milliseconds: with a known decision, and with one that nobody has had. */
  known: z.number(),
  fresh: z.number(),
  ratio: z.number(),
});
export type DecisionsResult = z.output<typeof decisionsResult>;

/** What was measured last, each part for itself. */
export const results = z.object({
  core: z.object({ machine, measured: z.array(coreResult) }).optional(),
  peers: z.object({ machine, measured: z.array(peersResult) }).optional(),
  service: z.object({ machine, measured: z.array(servicePoint) }).optional(),
  decisions: z.object({ machine, measured: z.array(decisionsResult) }).optional(),
  protocols: z.object({ machine, measured: protocolsResult }).optional(),
  places: z.object({ machine, measured: placesResult }).optional(),
  footprint: z.object({ machine, measured: footprint }).optional(),
  hostile: z.object({ machine, measured: hostileResult }).optional(),
  sizing: z.object({ machine, measured: z.array(sizingResult) }).optional(),
});
export type Results = z.output<typeof results>;

/** The parts of the benchmark, in the order of the report. */
export const PARTS = [
  'core',
  'peers',
  'service',
  'decisions',
  'protocols',
  'places',
  'footprint',
  'hostile',
  'sizing',
] as const;
export type Part = (typeof PARTS)[number];
