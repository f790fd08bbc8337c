import _ from 'lodash';
import type { Effect, Node, Policy, Rules } from '../core/index.ts';
import { shortened } from '../shortened.ts';
import type { Log } from './ports.ts';

/** Logged as the policy if the PDP does not name the policy of a rule. */
const UNKNOWN = 'unknown';

/** How many policies one line names. */
const MAX_NAMES = 100;

/** How many records the rules of one policy changed. */
interface PolicyRecords {
  count: number;
  last: Node | undefined;
}

/** What the rules of some policies did to a payload: each property is counted here, and not for each of the policies. */
class RuleChanges {
  readonly effects: Record<Effect, number> = { masked: 0, set: 0, created: 0, removed: 0 };
  readonly policies: ReadonlyMap<string, PolicyRecords>;
  private last: Node | undefined;

  constructor(policies: ReadonlyMap<string, PolicyRecords>) {
    this.policies = policies;
  }

  /** Records come one after another. */
  add(effect: Effect, record: Node | undefined): void {
    this.effects[effect]++;
    if (record === undefined || record === this.last) return;
    this.last = record;
    for (const records of this.policies.values()) {
      if (records.last !== record) records.count++;
      records.last = record;
    }
  }
}

/** Logs what was done to a payload, and for whom: one line a policy, and one for the records that the filter removed. */
export class Audit {
  readonly #log: Log;
  readonly #user: () => string;
  readonly #records = new Map<string, PolicyRecords>();
  readonly #changes = new Map<readonly Policy[], RuleChanges>();
  #removed = 0;

  /** @param user is called only if there is something to log */
  constructor(log: Log, user: () => string) {
    this.#log = log;
    this.#user = user;
  }

  /** A property was changed by a rule of these policies. */
  changed(effect: Effect, policies: readonly Policy[], record: Node | undefined): void {
    const changes = this.#changes.get(policies) ?? this.#add(policies);
    changes.add(effect, record);
  }

  removed(): void {
    this.#removed++;
  }

  /** @param rules what the decision asked */
  log(rules: Rules): void {
    for (const [policy, effects] of this.#effects())
      this.#log.info('Audit: properties changed', {
        policy: shortened(policy),
        ...effects,
        records: this.#records.get(policy)?.count ?? 0,
        user: this.#user(),
      });
    if (this.#removed > 0)
      this.#log.info('Audit: records removed', {
        ...filterPolicies(rules),
        removed: this.#removed,
        user: this.#user(),
      });
  }

  #add(policies: readonly Policy[]): RuleChanges {
    const changes = new RuleChanges(new Map(namesOf(policies).map((name) => [name, this.#recordsOf(name)])));
    this.#changes.set(policies, changes);
    return changes;
  }

  #recordsOf(policy: string): PolicyRecords {
    const known = this.#records.get(policy) ?? { count: 0, last: undefined };
    this.#records.set(policy, known);
    return known;
  }

  /** What the rules of each policy did together. */
  #effects(): ReadonlyMap<string, Record<Effect, number>> {
    const byPolicy = new Map<string, Record<Effect, number>>();
    for (const { effects, policies } of this.#changes.values())
      for (const policy of policies.keys())
        byPolicy.set(policy, _.mergeWith({ ...byPolicy.get(policy) }, effects, sum));
    return byPolicy;
  }
}

/** Those that say which records may stay: a record goes because none of them lets it stay, or one has it go. */
function filterPolicies({ filters }: Rules): {
  readonly policies: readonly string[];
  readonly more?: number;
} {
  const names = _.uniq(filters.flatMap(({ policies }) => namesOf(policies)));
  const policies = names.slice(0, MAX_NAMES).map(shortened);
  return names.length > MAX_NAMES ? { policies, more: names.length - MAX_NAMES } : { policies };
}

function sum(one: number | undefined, other: number): number {
  return (one ?? 0) + other;
}

function namesOf(policies: readonly Policy[]): readonly string[] {
  return policies.length === 0 ? [UNKNOWN] : _.uniq(policies.map(({ name }) => name));
}
