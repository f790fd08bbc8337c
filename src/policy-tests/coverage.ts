import type { Explanation } from '../core/index.ts';
import type { Condition, PolicyFile } from '../pdp/index.ts';

/** What came of a condition in all tests. */
interface Outcomes {
  held: boolean;
  failed: boolean;
}

/** What tests left out. */
export interface CoverageReport {
  /** Of policies and conditions together, rounded down. */
  readonly percent: number;
  readonly policies: { readonly covered: number; readonly all: number };
  readonly conditions: { readonly covered: number; readonly all: number };
  /** What is not covered, one line each. */
  readonly gaps: readonly string[];
}

/** Collects which policies changed something in tests, and whether the conditions of policies were both true and false. */
export class Coverage {
  readonly #policies: PolicyFile['policies'];
  readonly #applied = new Set<string>();
  /** Those that were applied to a value, and left it as it is. */
  readonly #idle = new Set<string>();
  readonly #conditions = new Map<string, Outcomes>();

  constructor({ policies, attrName, object }: PolicyFile) {
    this.#policies = policies;
    const ofNames = new Set([attrName, object]);
    for (const { name, when } of policies)
      if (when !== undefined && readsRecord(when, ofNames))
        this.#conditions.set(name, { held: false, failed: false });
  }

  add({ rules, changes, records }: Explanation): void {
    const names = rules.map(({ policy }) => policy);
    for (const { rule, effect, lost } of changes) {
      if (rule !== undefined)
        this.#note(names[rule], true, effect === 'unchanged' ? this.#idle : this.#applied);
      for (const { rule: other, because } of lost) {
        // Rules are numbered in the order in which they are tried.
        const wouldCount = because === 'dryRun' && (rule === undefined || other < rule);
        this.#note(names[other], because !== 'condition', wouldCount ? this.#applied : undefined);
      }
    }
    for (const { because } of records)
      for (const { rule, holds } of because)
        this.#note(names[rule], holds, holds ? this.#applied : undefined);
  }

  report(): CoverageReport {
    const unused = this.#policies.filter(({ name }) => !this.#applied.has(name));
    const half = [...this.#conditions].filter(([, { held, failed }]) => !held || !failed);
    const policies = { covered: this.#policies.length - unused.length, all: this.#policies.length };
    const conditions = { covered: this.#conditions.size - half.length, all: this.#conditions.size };
    const percent = Math.floor(
      (100 * (policies.covered + conditions.covered)) / (policies.all + conditions.all),
    );
    const gaps = [
      ...unused.map(({ name }) =>
        this.#idle.has(name)
          ? `the policy "${name}" changed nothing in any test`
          : `no test applied the policy "${name}"`,
      ),
      ...half.map(([name, outcomes]) => `the condition of "${name}" was ${missing(outcomes)}`),
    ];
    return { percent, policies, conditions, gaps };
  }

  /** @param names to which the policy is added */
  #note(name: string | undefined, holds: boolean, names: Set<string> | undefined): void {
    if (name === undefined) return;
    names?.add(name);
    const outcomes = this.#conditions.get(name);
    if (outcomes === undefined) return;
    if (holds) outcomes.held = true;
    else outcomes.failed = true;
  }
}

function missing({ held, failed }: Outcomes): string {
  if (held) return 'never false';
  return failed ? 'never true' : 'never asked';
}

/** Whether a condition reads the record. One that is about names of properties alone is decided before any record. */
function readsRecord(condition: Condition, ofNames: ReadonlySet<string>): boolean {
  if ('all' in condition) return condition.all.some((part) => readsRecord(part, ofNames));
  if ('any' in condition) return condition.any.some((part) => readsRecord(part, ofNames));
  return !ofNames.has(condition.attribute);
}
