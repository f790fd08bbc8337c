import type { JsonDocument, Node } from '../json/document.ts';
import { jsonPointer } from '../json/pointer.ts';
import { ALWAYS, isAlways, type Condition } from '../conditions/condition.ts';
import type { Creation, Plan } from '../plan/plan.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import { dryRunPolicies, type FilterRule, type PropertyRule, type Rules } from '../rule.ts';
import type { Verdict, Witness } from '../walk/observer.ts';
import { Budget, type ExplanationLimits } from './budget.ts';
import { ConditionExplainer, WORDS_PER_VALUE, type ExplainedCondition } from './condition.ts';
import { explainedFilters, inBoth, partsOf, type ExplainedFilter } from './explained-filter.ts';
import { Pointers } from './pointers.ts';

/** A rule of the decision, and how often it counted in what is explained. */
export interface ExplainedRule {
  /** Its place in the order in which rules are tried; filters come last. */
  readonly id: number;
  /** The names of its policies. */
  readonly policy: string;
  /** As the PDP writes it, without the priority. */
  readonly action: string;
  /** A string of digits if JavaScript cannot hold it. */
  readonly priority?: number | string;
  readonly effect: 'allowed' | 'denied';
  readonly dryRun: boolean;
  /** JSON pointer into the PDP's answer. */
  readonly place: string;
  /** How many places, or records for a filter, it is about. */
  reached: number;
  /** At how many of them it was the rule that counted; for a filter, for how many records it holds. */
  applied: number;
}

/** A rule that is about a place and was not applied there. */
export interface Loss {
  readonly rule: number;
  /** Condition: its own does not hold. Priority: it does, and another rule comes first. */
  readonly because: 'priority' | 'condition' | 'dryRun';
  /** If that is the reason. */
  readonly condition?: ExplainedCondition;
}

/** What rules came to at one place of the payload. */
export interface Change {
  /** JSON pointer into the payload as the caller sent it. */
  readonly pointer: string;
  readonly effect: Verdict['effect'];
  /** The rule that was applied, if any was. */
  readonly rule?: number;
  /** The condition of that rule, if it has one. */
  readonly condition?: ExplainedCondition;
  readonly lost: readonly Loss[];
}

/** What the filters say about one record. */
export interface ExplainedRecord {
  readonly pointer: string;
  readonly kept: boolean;
  readonly because: readonly FilterReason[];
}

interface FilterReason {
  readonly rule: number;
  readonly holds: boolean;
  readonly condition?: ExplainedCondition;
}

/** Why a payload became what it is. It holds no value of the payload. */
export interface Explanation {
  readonly rules: readonly ExplainedRule[];
  readonly changes: readonly Change[];
  readonly records: readonly ExplainedRecord[];
  /** There is more than the limits allow; the rules count what is explained. */
  readonly truncated?: true;
}

/** A verdict with the rules that it came from. */
interface Explainable extends Omit<Verdict, 'stepsAbout'> {
  readonly steps: readonly PlanStep[];
}

/** What is explained in the time in which the walk passes a word of the tape, by the bytes that it may take. */
const BYTES_PER_WORD = 8;

const NO_ASSETS: readonly string[] = [];

/** The name of the policy if the PDP names none. */
const UNKNOWN = 'unknown';

/** What is explained. */
interface Explained {
  readonly doc: JsonDocument;
  readonly payload: Node;
  readonly rules: Rules;
  readonly plan: Plan;
}

/**
 * Watches a walk, and explains it within bounds.
 *
 * Making one throws TooLongError if the rules alone take more than the bounds.
 */
export class Explainer implements Witness {
  private readonly filters: readonly ExplainedFilter[];
  private readonly areAboutAssets: boolean;
  private readonly rules: readonly ExplainedRule[];
  private readonly plan: Plan;
  private readonly conditions: ConditionExplainer;
  private readonly pointers: Pointers;
  private readonly budget: Budget;
  private ownEffort = 0;
  private readonly changes: Change[] = [];
  private readonly records: ExplainedRecord[] = [];

  constructor({ doc, payload, rules, plan }: Explained, limits: ExplanationLimits) {
    const { properties, filters } = rules;
    const all = [...properties, ...filters.flatMap(partsOf)];
    this.budget = new Budget(limits);
    // A decision may repeat a long name for each of its rules.
    for (const rule of all) this.budget.list(textsOf(rule));
    this.filters = explainedFilters(filters, properties.length);
    this.areAboutAssets = filters.flatMap(partsOf).some(({ assetIds }) => assetIds !== undefined);
    this.rules = all.map(explainedRule);
    this.plan = plan;
    this.conditions = new ConditionExplainer(plan.conditions);
    this.pointers = new Pointers(doc, payload);
  }

  get effort(): number {
    return this.ownEffort + this.conditions.effort + this.budget.taken / BYTES_PER_WORD;
  }

  decided(node: Node, { stepsAbout, applied, effect, record }: Verdict): void {
    if (this.budget.isPast('changes')) return;
    const steps = stepsAbout();
    if (steps.length > 0 && this.budget.hasRoom('changes'))
      this.change(this.pointers.of(node), { steps, applied, effect, record });
  }

  lacking(
    node: Node,
    creations: readonly Creation[],
    isPresent: readonly boolean[] | undefined,
    record: RecordView | undefined,
  ): void {
    if (this.budget.isPast('changes')) return;
    const absent = creations.filter((_creation, place) => isPresent?.[place] !== true);
    this.absent(this.pointers.of(node), absent, record);
  }

  filtered(record: RecordView, isKept: boolean): void {
    if (!this.budget.hasRoom('records')) return;
    const pointer = this.pointers.of(record.node);
    if (!this.budget.takeEntry('records', pointer)) return;
    const because: FilterReason[] = [];
    // Read once: there may be as many as the payload has values.
    const read = this.areAboutAssets ? record.assetIds : NO_ASSETS;
    this.ownEffort += read.length * WORDS_PER_VALUE;
    const assetIds = new Set(read);
    for (const filter of this.filters) {
      for (const { rule, id } of filter.about(assetIds)) {
        const reason = this.reasonOf(rule, id, record, assetIds);
        if (!this.budget.takeRule(reason.condition)) return;
        because.push(reason);
      }
    }
    this.records.push({ pointer, kept: isKept, because });
    for (const { rule, holds } of because) this.count(rule, holds);
  }

  explanation(): Explanation {
    const { rules, changes, records, budget } = this;
    return { rules, changes, records, ...(budget.isExceeded && { truncated: true }) };
  }

  /** @param above the pointer of what lacks the properties */
  private absent(above: string, creations: readonly Creation[], record: RecordView | undefined): void {
    for (const { name, state } of creations) {
      if (this.budget.isPast('changes')) return;
      if (state === undefined) continue;
      const { onAbsent, creationsAnew } = this.plan.at(state);
      const steps = onAbsent.about(record);
      const applied = steps.find((step) => this.applies(step, record));
      const isCreated = applied?.action.created !== undefined;
      const pointer = above + jsonPointer([name]);
      if (steps.some(({ action }) => action.created !== undefined))
        this.change(pointer, { steps, applied, effect: isCreated ? 'created' : 'unchanged', record });
      if (!isCreated) this.absent(pointer, creationsAnew, record);
    }
  }

  private applies({ tree, dryRun }: PlanStep, record: RecordView | undefined): boolean {
    return dryRun === undefined && (isAlways(tree) || this.explain(tree, record)?.holds === true);
  }

  private change(pointer: string, { steps, applied, effect, record }: Explainable): void {
    if (!this.budget.takeEntry('changes', pointer)) return;
    const condition = applied && this.explain(applied.tree, record);
    if (!this.budget.takeRule(condition)) return;
    const lost = this.losses(steps, applied, record);
    if (lost === undefined) return;
    this.changes.push({
      pointer,
      effect,
      ...(applied && { rule: applied.rank }),
      ...(condition && { condition }),
      lost,
    });
    for (const { rule } of lost) this.count(rule, false);
    if (applied) this.count(applied.rank, true);
  }

  /** @returns undefined if they do not fit */
  private losses(
    steps: readonly PlanStep[],
    applied: PlanStep | undefined,
    record: RecordView | undefined,
  ): readonly Loss[] | undefined {
    const lost: Loss[] = [];
    for (const [rule, alternatives] of Map.groupBy(steps, ({ rank }) => rank)) {
      if (rule === applied?.rank) continue;
      const loss = this.lossOf(rule, alternatives, record);
      if (!this.budget.takeRule(loss.condition)) return undefined;
      lost.push(loss);
    }
    return lost;
  }

  /** @param alternatives what is left of the rule at the place: it holds if any of them does */
  private lossOf(rule: number, alternatives: readonly PlanStep[], record: RecordView | undefined): Loss {
    const condition = this.explain(anyTree(alternatives), record);
    if (condition?.holds === false) return { rule, because: 'condition', condition };
    return { rule, because: this.rules[rule]?.dryRun === true ? 'dryRun' : 'priority' };
  }

  /** Above all records no rule has a condition. */
  private explain(condition: Condition, record: RecordView | undefined): ExplainedCondition | undefined {
    return record && this.conditions.explain(condition, record);
  }

  private reasonOf(
    { assetIds, condition }: FilterRule,
    rule: number,
    record: RecordView,
    own: ReadonlySet<string>,
  ): FilterReason {
    const isAbout = assetIds === undefined || inBoth(own, assetIds).next().done !== true;
    const explained = this.conditions.explain(condition, record);
    const holds = isAbout && (explained?.holds ?? true);
    return { rule, holds, ...(explained && { condition: explained }) };
  }

  private count(id: number, isApplied: boolean): void {
    const rule = this.rules[id];
    if (!rule) return;
    rule.reached++;
    if (isApplied && !rule.dryRun) rule.applied++;
  }
}

function anyTree(alternatives: readonly PlanStep[]): Condition {
  const of = [...new Set(alternatives.map(({ tree }) => tree))];
  const [only, ...others] = of;
  if (only === undefined || of.some(isAlways)) return ALWAYS;
  return others.length === 0 ? only : { kind: 'any', of };
}

/** What {@link explainedRule} holds of the decision. */
function textsOf({ policies, source: { action, priority, place } }: PropertyRule | FilterRule): string[] {
  return [...policies.map(({ name }) => name), action, String(priority), jsonPointer(place)];
}

function explainedRule(rule: PropertyRule | FilterRule, id: number): ExplainedRule {
  const { place, action, priority, effect } = rule.source;
  return {
    id,
    policy: rule.policies.map(({ name }) => name).join(', ') || UNKNOWN,
    action,
    ...(priority !== undefined && { priority: exactly(priority) }),
    effect,
    dryRun: dryRunPolicies(rule) !== undefined,
    place: jsonPointer(place),
    reached: 0,
    applied: 0,
  };
}

function exactly(priority: bigint): number | string {
  const number = Number(priority);
  return Number.isSafeInteger(number) ? number : String(priority);
}
