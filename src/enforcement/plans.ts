import { LRUCache } from 'lru-cache';
import { Plan, TooManyNamesError, bufferOf, type Frame, type Rules } from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import type { Decision } from './question.ts';
import type { IntentSettings } from './settings.ts';

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
 * Compiles decisions, each once as long as it comes again: the same fingerprint under the same settings asks the same,
 * whatever the protocol. The whole fingerprint is the key, so no decision is ever taken for another. The rules of a known
 * decision are not read again.
 */
export class Plans {
  private readonly known = new LRUCache<string, CompiledDecision>({
    max: MAX_PLANS,
    maxSize: MAX_KEYS_LENGTH,
    sizeCalculation: (_compiled, key) => key.length,
  });
  /** The last lookup, with copies of its bytes: comparing them takes a tenth of the time of a lookup in the cache. */
  private latest:
    { readonly of: string; readonly fingerprint: Buffer; readonly compiled: CompiledDecision } | undefined;

  /**
   * @param frame what names the payload in paths that begin at it
   * @throws ServiceError what the decision's rules throw
   */
  compile(decision: Decision, settings: IntentSettings, frame: Frame): CompiledDecision {
    const { fingerprint } = decision;
    const of = JSON.stringify([settings, frame]);
    if (of.length + fingerprint.length > MAX_KEY_LENGTH) return compiled(decision, settings, frame);
    const { latest } = this;
    if (latest?.of === of && latest.fingerprint.equals(fingerprint)) return latest.compiled;
    const key = `${of}${bufferOf(fingerprint).toString('latin1')}`;
    const found = this.known.get(key) ?? compiled(decision, settings, frame);
    this.known.set(key, found);
    this.latest = { of, fingerprint: Buffer.from(fingerprint), compiled: found };
    return found;
  }
}

function compiled({ rules }: Decision, settings: IntentSettings, frame: Frame): CompiledDecision {
  return { rules, plan: planFor(rules, frame, settings) };
}

function planFor(rules: Rules, frame: Frame, settings: IntentSettings): Plan {
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
