import { LRUCache } from 'lru-cache';
import { bufferOf } from '../core/json/bytes.ts';
import { readDecision } from '../pdp/protocols/resolution/decision.ts';
import type { Path } from '../core/paths/path.ts';
import { Plan } from '../core/plan/plan.ts';
import { Scope } from '../core/plan/scope.ts';
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

  /**
   * @param answer the PDP's answer, JSON in UTF-8
   * @param rootPath the root's own path in the payload
   * @throws ServiceError `decision-not-understood`
   */
  compile(answer: Uint8Array, settings: Settings, rootPath: Path): CompiledDecision {
    const of = JSON.stringify([settings, rootPath]);
    if (of.length + answer.length > MAX_KEY_LENGTH) return compiled(answer, settings, rootPath);
    const { latest } = this;
    if (latest?.of === of && latest.answer.equals(answer)) return latest.compiled;
    const key = `${of}${bufferOf(answer).toString('latin1')}`;
    const found = this.known.get(key) ?? compiled(answer, settings, rootPath);
    this.known.set(key, found);
    this.latest = { of, answer: Buffer.from(answer), compiled: found };
    return found;
  }
}

function compiled(answer: Uint8Array, settings: Settings, rootPath: Path): CompiledDecision {
  const rules = readDecision(answer, settings);
  return { rules, plan: new Plan(rules, new Scope(rootPath), settings.maskString) };
}
