import { LRUCache } from 'lru-cache';
import { bufferOf } from '../core/json/bytes.ts';
import { NO_MASK_KEYS, type MaskKeys } from '../core/actions/mask-keys.ts';
import { readDecision } from '../pdp/protocols/resolution/decision.ts';
import { Plan } from '../core/plan/plan.ts';
import type { Frame } from '../core/plan/frame.ts';
import { TooManyNamesError } from '../core/plan/alternatives.ts';
import { ServiceError } from '../errors.ts';
import type { Rules } from '../core/rule.ts';
import type { Settings } from './settings.ts';

/** How many plans are kept: as many as there are kinds of users at a time, in most services. */
const MAX_PLANS = 64;
/** What is longer, with the settings, is compiled each time, in characters: its plan is large. */
const MAX_KEY_LENGTH = 2 * 1024 * 1024;
/** How long what the plans were made of may be together, in characters: a plan takes several times as much. */
const MAX_KEYS_LENGTH = 4 * 1024 * 1024;

/** A decision, read and compiled. */
export interface CompiledDecision {
  readonly rules: Rules;
  readonly plan: Plan;
}

/**
 * Compiles decisions, each once as long as it comes again: the same bytes under the same settings ask the same. The whole
 * decision is the key, so no decision is ever taken for another.
 */
export class Plans {
  private readonly known = new LRUCache<string, CompiledDecision>({
    max: MAX_PLANS,
    maxSize: MAX_KEYS_LENGTH,
    sizeCalculation: (_compiled, key) => key.length,
  });
  /** What was asked for last, in copies of its own: comparing bytes takes a tenth of looking them up. */
  private latest:
    { readonly of: string; readonly answer: Buffer; readonly compiled: CompiledDecision } | undefined;
  private readonly keys: MaskKeys;

  /**
   * @param keys the keys that hashes may use. Plans ask for what they consist of each time, and no plan is known by them.
   */
  constructor(keys: MaskKeys = NO_MASK_KEYS) {
    this.keys = keys;
  }

  /**
   * @param answer the PDP's answer, JSON in UTF-8
   * @param frame what names the payload in paths that begin at it
   * @throws ServiceError `decision-not-understood`
   */
  compile(answer: Uint8Array, settings: Settings, frame: Frame): CompiledDecision {
    const of = JSON.stringify([settings, frame]);
    if (of.length + answer.length > MAX_KEY_LENGTH) return this.compiled(answer, settings, frame);
    const { latest } = this;
    if (latest?.of === of && latest.answer.equals(answer)) return latest.compiled;
    const key = `${of}${bufferOf(answer).toString('latin1')}`;
    const found = this.known.get(key) ?? this.compiled(answer, settings, frame);
    this.known.set(key, found);
    this.latest = { of, answer: Buffer.from(answer), compiled: found };
    return found;
  }

  private compiled(answer: Uint8Array, settings: Settings, frame: Frame): CompiledDecision {
    const rules = readDecision(answer, settings, this.keys);
    return { rules, plan: planFor(rules, frame, settings) };
  }
}

function planFor(rules: Rules, frame: Frame, settings: Settings): Plan {
  try {
    return new Plan(rules, frame, settings);
  } catch (error) {
    if (!(error instanceof TooManyNamesError)) throw error;
    throw new ServiceError(
      'decision-not-understood',
      'The decision of the PDP is not understood: one condition names more properties than a value can be set at.',
    );
  }
}
