import _ from 'lodash';
import type { Effect, Node, Policy, Rules } from '../core/index.ts';
import { shortened } from '../shortened.ts';
import type { Log } from './ports.ts';

/** Logged as the policy if the PDP does not name the policy of a rule. */
const UNKNOWN = 'unknown';

/** How many policies one line names. */
const MAX_NAMES = 100;

/**
 * How often a record may be counted for some of the policies of a rule: so many times, and so many times for each property that is changed.
 * Thousands of policies of one rule, each also that of another, would be counted apart for each record.
 */
export const MOST_COUNTED = 5_000_000;
const COUNTED_BY_CHANGE = 64;

/** How many records some policies changed that the same rules name: they are counted once for all of these policies. */
class PolicyRecords {
  count = 0;
  last: Node | undefined;
  /** How many policies. */
  size: number;
  readonly rules: RuleChanges[] = [];

  constructor(size: number) {
    this.size = size;
  }

  /** Some of the policies, which are counted apart from now on. */
  part(size: number): PolicyRecords {
    this.size -= size;
    const part = new PolicyRecords(size);
    part.count = this.count;
    part.last = this.last;
    for (const rule of this.rules) rule.countFor(part);
    return part;
  }
}

/** What the rules of some policies did to a payload: each property is counted here, and not for each of the policies. */
class RuleChanges {
  readonly effects: Record<Effect, number> = { masked: 0, set: 0, created: 0, removed: 0 };
  readonly policies: readonly string[];
  private readonly records: PolicyRecords[] = [];
  private last: Node | undefined;

  constructor(policies: readonly string[]) {
    this.policies = policies;
  }

  countFor(records: PolicyRecords): void {
    this.records.push(records);
    records.rules.push(this);
  }

  /** Whether a record was not counted yet: records come one after another. */
  isNew(record: Node | undefined): record is Node {
    return record !== undefined && record !== this.last;
  }

  /** How often a record is counted. */
  get counted(): number {
    return this.records.length;
  }

  count(record: Node): void {
    this.last = record;
    for (const records of this.records) {
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
  /** How often records may still be counted for some policies; below 0, they are counted no more. */
  #left = MOST_COUNTED;

  /** @param user is called only if there is something to log */
  constructor(log: Log, user: () => string) {
    this.#log = log;
    this.#user = user;
  }

  /** A property was changed by a rule of these policies. */
  changed(effect: Effect, policies: readonly Policy[], record: Node | undefined): void {
    const changes = this.#changes.get(policies) ?? this.#add(policies);
    changes.effects[effect]++;
    if (this.#left < 0) return;
    this.#left += COUNTED_BY_CHANGE;
    if (changes.isNew(record)) this.#count(changes, record);
  }

  #count(changes: RuleChanges, record: Node): void {
    this.#left -= changes.counted;
    if (this.#left >= 0) changes.count(record);
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
        ...(this.#left >= 0 && { records: this.#records.get(policy)?.count ?? 0 }),
        user: this.#user(),
      });
    if (this.#left < 0)
      this.#log.warn('Records are not counted for the audit: too many policies changed the same ones');
    if (this.#removed > 0)
      this.#log.info('Audit: records removed', {
        ...filterPolicies(rules),
        removed: this.#removed,
        user: this.#user(),
      });
  }

  #add(policies: readonly Policy[]): RuleChanges {
    const names = namesOf(policies);
    const changes = new RuleChanges(names);
    for (const [known, some] of Map.groupBy(names, (name) => this.#records.get(name)))
      changes.countFor(known?.size === some.length ? known : this.#apart(some, known));
    this.#changes.set(policies, changes);
    return changes;
  }

  /** @param known what counted for these policies, and for others, so far */
  #apart(policies: readonly string[], known: PolicyRecords | undefined): PolicyRecords {
    const records = known?.part(policies.length) ?? new PolicyRecords(policies.length);
    for (const policy of policies) this.#records.set(policy, records);
    return records;
  }

  /** What the rules of each policy did together. */
  #effects(): ReadonlyMap<string, Record<Effect, number>> {
    const byPolicy = new Map<string, Record<Effect, number>>();
    for (const { effects, policies } of this.#changes.values())
      for (const policy of policies)
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
