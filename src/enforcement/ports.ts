import type { ExplanationLimits, MaskKeys, SplicerRoom } from '../core/index.ts';
import type { Compiler } from './plans.ts';
import type { Decider } from './question.ts';
import type { EnforcementSettings } from './settings.ts';
import type { EventLoopScheduler } from './event-loop-scheduler.ts';
import type { GivenWarnings } from './warning-once.ts';

/** What enforcement uses, the same for all requests of a service. */
export interface EnforcementPorts {
  readonly pdp: Decider;
  readonly settings: EnforcementSettings;
  /** The keys that hashes may use. */
  readonly keys: MaskKeys;
  readonly scheduler: EventLoopScheduler;
  readonly plans: Compiler;
  /** The warnings about the configuration: requests show what is wrong with it, all alike. */
  readonly warnings: GivenWarnings;
}

/** What enforcement uses of one request. */
interface RequestPorts {
  /** Adds the request's id to every line. */
  readonly log: Log;
  /** Undefined if nobody traces the request. */
  readonly trace?: Trace | undefined;
  /** Aborted when the answer is no longer wanted; undefined if it is always wanted. */
  readonly signal?: AbortSignal | undefined;
  /** Bounds the answer: `enforce` reserves its bytes here as it grows, and before that what the payload and the decision take. */
  readonly room: SplicerRoom;
  /** Whether the result is explained, and how far; it is not, unless given. */
  readonly explain?: ExplanationLimits | undefined;
}

export type Ports = EnforcementPorts & RequestPorts;

export interface Log {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

interface Trace {
  /** Begins a named part of the request. */
  begin(name: string): TracedPart;
}

/** A part of a request as it is traced. */
export interface TracedPart {
  /** @param worked how long it took without pauses, in milliseconds */
  end(worked: number): void;
  /** Ends it as failed. */
  fail(worked: number): void;
}
