import {
  Plan,
  RecentHashes,
  SEED,
  TooManyNamesError,
  bufferOf,
  type Frame,
  type Rules,
  type SharedPath,
  type SharedPaths,
} from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import type { Decision } from './question.ts';
import { areSameSettings, type IntentSettings } from './settings.ts';
import { WeighedCache } from './weighed-cache.ts';

/** How many plans are kept: as many as there are kinds of users at a time, in most services. */
const MAX_PLANS = 64;
/** How much they may take together, in bytes, roughly: payloads may lead a plan to thousands of states. */
const MAX_WEIGHT = 24 * 1024 * 1024;
/** How many plans of decisions are kept that came once, and how much they may take together, in bytes, roughly. */
const MAX_NEW_PLANS = 8;
const MAX_NEW_WEIGHT = 8 * 1024 * 1024;
/** The same for those of which some rules never came before: plans that are alive make garbage collection take longer. */
const MAX_UNSEEN_PLANS = 2;
/** How many decisions are remembered to have come, so that their plans are kept when they come again. */
const MAX_RECENT = 2 ** 12;
/** What is longer, with the settings, is compiled each time, in bytes: its plan is large. */
const MAX_KEY_LENGTH = 2 * 1024 * 1024;
/** How much a plan takes before payloads lead to anything, by what it is made of. */
const WEIGHT_BY_LENGTH = 8;

/** How many sets of paths are kept that plans share: a decision never seen before has most often those of another. */
const MAX_PATHS = 64;
/** How much they may take together, in bytes, roughly. */
const MAX_PATHS_WEIGHT = 8 * 1024 * 1024;

/** A decision, read and compiled. */
export interface CompiledDecision {
  readonly rules: Rules;
  readonly plan: Plan;
}

interface Known {
  readonly key: string;
  /** The settings and the frame that it was compiled for. */
  readonly of: string;
  /** A copy: the original bytes may be a small part of a large buffer. */
  readonly fingerprint: Buffer;
  readonly compiled: CompiledDecision;
  /** Whether all of its rules are those of decisions before. */
  readonly hasKnownRules: boolean;
}

/** What decisions are compiled for, and the same as text. */
interface Written {
  readonly settings: IntentSettings;
  readonly frame: Frame;
  readonly isExplained: boolean;
  readonly text: string;
}

/** Compiles decisions. */
export interface Compiler {
  /**
   * @param frame what names the payload in paths that begin at it
   * @param isExplained whether what the plan does is explained; false unless given
   * @throws ServiceError what the decision's rules throw
   */
  compile(
    decision: Decision,
    settings: IntentSettings,
    frame: Frame,
    isExplained?: boolean,
  ): CompiledDecision;
}

/**
 * Compiles decisions, each once as long as it comes again: the same fingerprint under the same settings asks the same,
 * whatever the protocol. The whole fingerprint is compared, so no decision is ever taken for another. The rules of a known
 * decision are not read again.
 */
export class Plans implements Compiler {
  private readonly known = plansUpTo(MAX_PLANS, MAX_WEIGHT);
  /** Those of decisions that came once. Plans of decisions that never come again would be most of what is kept. */
  private readonly new = plansUpTo(MAX_NEW_PLANS, MAX_NEW_WEIGHT);
  private readonly unseen = plansUpTo(MAX_UNSEEN_PLANS, MAX_NEW_WEIGHT);
  private readonly recent = new RecentHashes(MAX_RECENT);
  private readonly paths = new WeighedCache<SharedPath>({
    max: MAX_PATHS,
    maxWeight: MAX_PATHS_WEIGHT,
    weightOf: ({ weight, latest }) => weight + (latest?.conditions.weight ?? 0),
  });
  /** What was asked for last: comparing bytes takes a tenth of looking them up. */
  private latest: Known | undefined;
  private written: Written | undefined;

  compile(
    decision: Decision,
    settings: IntentSettings,
    frame: Frame,
    isExplained: boolean = false,
  ): CompiledDecision {
    const { fingerprint } = decision;
    const written = this.write(settings, frame, isExplained);
    const { text: of } = written;
    if (of.length + fingerprint.length > MAX_KEY_LENGTH) return this.compiled(decision, written, '').compiled;
    const { latest } = this;
    if (latest?.of === of && latest.fingerprint.equals(fingerprint)) return latest.compiled;
    if (latest !== undefined) this.weigh(latest);
    const hash = hashOf(bufferOf(fingerprint));
    const key = `${of} ${fingerprint.length} ${hash}`;
    const known = this.known.get(key) ?? this.new.get(key) ?? this.unseen.get(key);
    const isKnown = known?.fingerprint.equals(fingerprint) === true;
    this.latest = isKnown ? known : this.compiled(decision, written, key);
    if (!this.known.has(key) || !isKnown) this.keep(hash, this.latest);
    return this.latest.compiled;
  }

  /** Settings and frame as text. Those of one request after the other are the same, as a rule. */
  private write(settings: IntentSettings, frame: Frame, isExplained: boolean): Written {
    const { written } = this;
    if (written?.isExplained === isExplained && isFor(written, settings, frame)) return written;
    const text = JSON.stringify([settings, frame, isExplained]);
    return (this.written = { settings, frame, isExplained, text });
  }

  /** What payloads led it to since it was weighed last takes memory, too. */
  private weigh(used: Known): void {
    const { shared } = used.compiled.plan;
    if (shared !== undefined) this.paths.weigh(shared.key, shared);
    for (const plans of [this.known, this.new, this.unseen]) plans.weigh(used.key, used);
  }

  private keep(hash: number, known: Known): void {
    const { key } = known;
    if (this.recent.meet(hash)) {
      this.new.delete(key);
      this.unseen.delete(key);
      this.known.set(key, known);
    } else if (known.hasKnownRules) this.new.set(key, known);
    else this.unseen.set(key, known);
  }

  /**
   * Decisions that differ in nothing that is enforced, as in their own number or time, have the same rules: the latest of them
   * takes the place of the one before, so that they do not crowd out the plans of others.
   */
  private compiled(decision: Decision, { text: of, ...uses }: Written, key: string): Known {
    const { rules } = decision;
    const fingerprint = Buffer.from(decision.fingerprint);
    const hasKnownRules = rules.areKnown === true;
    const same = hasKnownRules ? this.takeSame(rules, of) : undefined;
    const compiled = same ?? { rules, plan: planFor(rules, uses, this.paths) };
    const known = { key, of, fingerprint, hasKnownRules, compiled };
    if (same === undefined) compiled.plan.shared?.use(weightWritten(known));
    return known;
  }

  private takeSame(rules: Rules, of: string): CompiledDecision | undefined {
    for (const plans of [this.new, this.unseen, this.known]) {
      for (const [key, known] of plans.entries()) {
        if (known.of !== of || !areSame(known.compiled.rules, rules)) continue;
        plans.delete(key);
        return known.compiled;
      }
    }
    return undefined;
  }
}

function plansUpTo(max: number, maxWeight: number): WeighedCache<Known> {
  return new WeighedCache({
    max,
    maxWeight,
    weightOf: (known) => weightWritten(known) + known.compiled.plan.weight,
  });
}

/** How much what it was compiled from takes, with its rules, in bytes, roughly. */
function weightWritten({ of, fingerprint }: Known): number {
  return (of.length + fingerprint.length) * WEIGHT_BY_LENGTH;
}

const PRIME = 0x9e3779b1;

/** If two decisions have the same hash, one of them is compiled again. Four words at a time do not wait for each other. */
function hashOf(bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b, c, d] = [SEED, SEED ^ 1, SEED ^ 2, SEED ^ 3];
  let at = 0;
  for (; at + 16 <= bytes.length; at += 16) {
    a = Math.imul(a ^ view.getInt32(at, true), PRIME);
    b = Math.imul(b ^ view.getInt32(at + 4, true), PRIME);
    c = Math.imul(c ^ view.getInt32(at + 8, true), PRIME);
    d = Math.imul(d ^ view.getInt32(at + 12, true), PRIME);
    a ^= a >>> 15;
    b ^= b >>> 15;
    c ^= c >>> 15;
    d ^= d >>> 15;
  }
  for (; at < bytes.length; at++) a = Math.imul(a ^ view.getUint8(at), PRIME);
  return mixed(mixed(mixed(a, b), c), d);
}

function mixed(hash: number, other: number): number {
  const next = Math.imul(hash ^ other, PRIME);
  return next ^ (next >>> 15);
}

/** Whether rules are the very same ones: a protocol may read a rule once for all decisions that have it. */
function areSame(a: Rules, b: Rules): boolean {
  return (
    a.filterDefault === b.filterDefault &&
    a.maskShort === b.maskShort &&
    a.hasIdleFilters === b.hasIdleFilters &&
    areSameOnes(a.properties, b.properties) &&
    areSameOnes(a.filters, b.filters)
  );
}

/** Whether two name payloads alike. */
export function isSameFrame(a: Frame, b: Frame): boolean {
  return a.isJsonNamed === b.isJsonNamed && a.rootWord === b.rootWord;
}

function isFor(written: Written, settings: IntentSettings, frame: Frame): boolean {
  return areSameSettings(written.settings, settings) && isSameFrame(written.frame, frame);
}

function areSameOnes<T>(a: readonly T[], b: readonly T[]): boolean {
  return a === b || (a.length === b.length && a.every((one, at) => one === b[at]));
}

function planFor(
  rules: Rules,
  { frame, settings, isExplained }: Omit<Written, 'text'>,
  paths: SharedPaths,
): Plan {
  try {
    return new Plan(rules, frame, settings, paths, isExplained);
  } catch (error) {
    if (!(error instanceof TooManyNamesError)) throw error;
    throw new ServiceError(
      'decision-not-understood',
      'The decision of the PDP is not understood: its conditions combine too many names and prefixes.',
    );
  }
}
