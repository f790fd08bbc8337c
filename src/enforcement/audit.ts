import _ from 'lodash';
import type { Effect, Node, Policy, Rules } from '../core/index.ts';
import type { Log } from './ports.ts';

/** Logged as the policy if the PDP does not name the policy of a rule. */
const UNKNOWN = 'unknown';

/** What one policy did to a payload. */
interface PolicyChanges extends Record<Effect, number> {
  records: number;
  lastRecord: Node | undefined;
}

/** Logs what was done to a payload, and for whom: one line a policy, and one for the records that the filter removed. */
export class Audit {
  readonly #log: Log;
  readonly #user: () => string;
  readonly #changes = new Map<string, PolicyChanges>();
  #removed = 0;

  /** @param user is called only if there is something to log */
  constructor(log: Log, user: () => string) {
    this.#log = log;
    this.#user = user;
  }

  /** A property was changed by a rule of these policies; records come one after another. */
  changed(effect: Effect, policies: readonly Policy[], record: Node | undefined): void {
    for (const name of namesOf(policies)) {
      const changes = this.#changesOf(name);
      changes[effect]++;
      if (record !== undefined && record !== changes.lastRecord) changes.records++;
      changes.lastRecord = record;
    }
  }

  removed(): void {
    this.#removed++;
  }

  /** @param rules what the decision asked */
  log(rules: Rules): void {
    for (const [policy, { lastRecord: _last, ...changes }] of this.#changes)
      this.#log.info('Audit: properties changed', {
        policy,
        ...changes,
        user: this.#user(),
      });
    if (this.#removed > 0)
      this.#log.info('Audit: records removed', {
        policies: filterPolicies(rules),
        removed: this.#removed,
        user: this.#user(),
      });
  }

  #changesOf(policy: string): PolicyChanges {
    const known = this.#changes.get(policy);
    if (known) return known;
    const changes = { masked: 0, set: 0, created: 0, removed: 0, records: 0, lastRecord: undefined };
    this.#changes.set(policy, changes);
    return changes;
  }
}

/** Those that say which records may stay: a record goes because none of them lets it stay, or one has it go. */
function filterPolicies({ filters }: Rules): readonly string[] {
  return _.uniq(filters.flatMap(({ policies }) => namesOf(policies)));
}

function namesOf(policies: readonly Policy[]): readonly string[] {
  return policies.length === 0 ? [UNKNOWN] : _.uniq(policies.map(({ name }) => name));
}
