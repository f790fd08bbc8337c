import type { ExplainedCondition, Explanation } from '../../core/index.ts';

type Change = Explanation['changes'][number];
type ExplainedRecord = Explanation['records'][number];
type Loss = Change['lost'][number];

/** A line of a tree with the lines below it. */
interface Branch {
  readonly text: string;
  readonly below: readonly Branch[];
}

/**
 * An explanation as a tree for people, one line an element.
 *
 * @param pointer the place that is asked about: what is at it, below it or around it is shown; everything unless given
 */
export function explanationLines(explanation: Explanation, pointer = ''): readonly string[] {
  const trees = new ExplanationTrees(explanation);
  const records = explanation.records.filter((record) => concerns(record.pointer, pointer));
  const changes = explanation.changes.filter((change) => concerns(change.pointer, pointer));
  const branches = [...records.map((one) => trees.record(one)), ...changes.map((one) => trees.change(one))];
  if (changes.length === 0 && !records.some((record) => saysAll(record, pointer)))
    branches.push({
      text: `${shown(pointer)}: ${explanation.truncated ? 'it is not among what is explained' : 'no rule is about it'}`,
      below: [],
    });
  if (explanation.truncated) branches.push({ text: '… and more (maxExplained)', below: [] });
  return branches.flatMap(({ text, below }) => [text].concat(linesBelow(below, '')));
}

/** Whether what becomes of a place is what becomes of a record: if it is the record, around records, or removed with one. */
function saysAll({ pointer: record, kept }: ExplainedRecord, pointer: string): boolean {
  return !kept || isIn(record, pointer);
}

/** Whether an explanation is about a place, or one in it. */
export function isChangedIn({ changes }: Explanation, pointer: string): boolean {
  return changes.some((change) => isIn(change.pointer, pointer));
}

/** Whether one place is in the other, or the other way round. */
function concerns(one: string, other: string): boolean {
  return isIn(one, other) || isIn(other, one);
}

/** Whether a place is the other, or in it. */
function isIn(place: string, other: string): boolean {
  return place === other || place.startsWith(`${other}/`);
}

function shown(pointer: string): string {
  return pointer === '' ? 'The payload' : pointer;
}

class ExplanationTrees {
  readonly #rules: Explanation['rules'];
  readonly #names: readonly string[];

  constructor({ rules }: Explanation) {
    this.#rules = rules;
    this.#names = rules.map(({ policy, action, priority, effect }) => {
      const details = [
        action,
        ...(priority === undefined ? [] : [`priority ${priority}`]),
        ...(effect === 'denied' ? ['denied'] : []),
      ];
      return `"${policy}" (${details.join(', ')})`;
    });
  }

  record({ pointer, kept, because }: ExplainedRecord): Branch {
    const isUnallowed = !kept && !because.some(({ rule, holds }) => this.#decides(rule, holds));
    return {
      text: `${shown(pointer)}: record ${kept ? 'kept' : 'removed'}${isUnallowed ? ': no rule allows records' : ''}`,
      below: because.map(({ rule, holds, condition }) => ({
        text: `${this.#name(rule)} ${verdict(holds)}${this.#rules[rule]?.dryRun === true ? ', in dry run' : ''}`,
        below: conditionBelow(condition),
      })),
    };
  }

  change({ pointer, effect, rule, condition, lost }: Change): Branch {
    const by = rule === undefined ? '' : ` by ${this.#name(rule)}`;
    const won =
      condition === undefined ? [] : [{ text: 'its condition holds', below: [branchOf(condition)] }];
    return {
      text: `${shown(pointer)}: ${effect}${by}`,
      below: [...won, ...lost.map((loss) => this.#loss(loss))],
    };
  }

  #loss({ rule, because, condition }: Loss): Branch {
    return { text: `not ${this.#name(rule)}: ${REASONS[because]}`, below: conditionBelow(condition) };
  }

  /** Whether a filter has a record stay or go: one that allows records has those go for which it does not hold. */
  #decides(rule: number, holds: boolean): boolean {
    const { effect, dryRun } = this.#rules[rule] ?? { effect: undefined, dryRun: false };
    return !dryRun && (effect === 'allowed' || holds);
  }

  #name(rule: number): string {
    return this.#names[rule] ?? `rule ${rule}`;
  }
}

const REASONS: Readonly<Record<Loss['because'], string>> = {
  priority: 'another rule comes first',
  condition: 'its condition does not hold',
  dryRun: 'it is in dry run',
};

function conditionBelow(condition: ExplainedCondition | undefined): readonly Branch[] {
  return condition === undefined ? [] : [branchOf(condition)];
}

function branchOf(condition: ExplainedCondition): Branch {
  if ('read' in condition) {
    const { attribute, operator, holds, read } = condition;
    return { text: `${attribute} ${operator}: ${verdict(holds)} (${read})`, below: [] };
  }
  const only = soleIn(condition);
  if (only) return branchOf(only);
  const [word, parts] =
    'AND' in condition ? (['AND', condition.AND] as const) : (['OR', condition.OR] as const);
  return { text: `${word}: ${verdict(condition.holds)}`, below: parts.map(branchOf) };
}

/** The only part of a group that has one: it says what the group says. */
function soleIn(condition: Exclude<ExplainedCondition, { read: unknown }>): ExplainedCondition | undefined {
  const [only, ...others] = 'AND' in condition ? condition.AND : condition.OR;
  return others.length === 0 ? only : undefined;
}

function verdict(holds: boolean): string {
  return holds ? 'holds' : 'does not hold';
}

function linesBelow(branches: readonly Branch[], indent: string): readonly string[] {
  return branches.flatMap(({ text, below }, i) => {
    const isLast = i === branches.length - 1;
    const line = `${indent}${isLast ? '└─' : '├─'} ${text}`;
    return [line].concat(linesBelow(below, `${indent}${isLast ? '   ' : '│  '}`));
  });
}
