import { LRUCache } from 'lru-cache';
import { bufferOf } from '../core/json/bytes.ts';
import type { Path } from '../core/paths/path.ts';
import { Plan } from '../core/plan/plan.ts';
import { Scope } from '../core/plan/scope.ts';
import type { Rules } from '../core/rule.ts';
import type { Decision } from './question.ts';
import type { Settings } from './settings.ts';

/** How many plans are kept: as many as there are kinds of users at a time, in most services. */
const MAX_PLANS = 64;
/** What is longer, with the settings, is compiled each time, in characters: it is rare, and its plan is large. */
const MAX_KEY_LENGTH = 64 * 1024;

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
  private readonly known = new LRUCache<string, CompiledDecision>({ max: MAX_PLANS });
  /** What was asked for last, in copies of its own: comparing bytes takes a tenth of looking them up. */
  private latest:
    { readonly of: string; readonly fingerprint: Buffer; readonly compiled: CompiledDecision } | undefined;

  /**
   * @param rootPath the root's own path in the payload
   * @throws ServiceError what the decision's rules throw
   */
  compile(decision: Decision, settings: Settings, rootPath: Path): CompiledDecision {
    const { fingerprint } = decision;
    const of = JSON.stringify([settings, rootPath]);
    if (of.length + fingerprint.length > MAX_KEY_LENGTH) return compiled(decision, settings, rootPath);
    const { latest } = this;
    if (latest?.of === of && latest.fingerprint.equals(fingerprint)) return latest.compiled;
    const key = `${of}${bufferOf(fingerprint).toString('latin1')}`;
    const found = this.known.get(key) ?? compiled(decision, settings, rootPath);
    this.known.set(key, found);
    this.latest = { of, fingerprint: Buffer.from(fingerprint), compiled: found };
    return found;
  }
}

function compiled({ rules }: Decision, settings: Settings, rootPath: Path): CompiledDecision {
  return { rules, plan: new Plan(rules, new Scope(rootPath), settings.maskString) };
}
