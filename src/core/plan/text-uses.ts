import type { Condition, Leaf } from '../conditions/condition.ts';
import type { TextUse } from '../paths/name-reader.ts';
import { dryRunPolicies, type PropertyRule } from '../rule.ts';
import { ConditionKeys } from './condition-keys.ts';

/** The one text comparison of a rule in which it differs from others, and what it has in common with them. */
interface Form {
  readonly leaf: Leaf;
  readonly key: string;
}

/**
 * How rules use the texts that they look for in paths. If rules differ only in that text, the first one whose text is found
 * comes before the others wherever the paths have both texts in one name.
 *
 * @returns by the text; nothing for texts that are used in other ways as well
 */
export function textUses(rules: readonly PropertyRule[]): ReadonlyMap<string, readonly TextUse[]> {
  const uses = new Map<string, TextUse[]>();
  const usedOtherwise = new Set<string>();
  const groups = new Map<string, number>();
  const keys = new ConditionKeys();
  let rank = 0;
  for (const rule of rules) {
    if (!('condition' in rule.about)) continue;
    const form = formOf(rule, rule.about.condition, keys);
    for (const { values } of searchesIn(rule.about.condition, form?.leaf))
      for (const text of values) usedOtherwise.add(text);
    if (form === undefined) continue;
    const group = groups.get(form.key) ?? groups.size;
    groups.set(form.key, group);
    for (const text of form.leaf.values) {
      const known = uses.get(text);
      const use = { group, rank: rank++ };
      if (known) known.push(use);
      else uses.set(text, [use]);
    }
  }
  for (const text of usedOtherwise) uses.delete(text);
  return uses;
}

/** @returns undefined if the rule may leave a property to others although its condition holds, or if the condition has no such form */
function formOf(rule: PropertyRule, condition: Condition, keys: ConditionKeys): Form | undefined {
  if (rule.assetIds !== undefined || dryRunPolicies(rule) !== undefined) return undefined;
  const parts = condition.kind === 'all' ? condition.of : [condition];
  const leaf = parts.find(isSearch);
  if (leaf === undefined) return undefined;
  const others = parts.filter((part) => part !== leaf).map((part) => keys.of(part));
  return { leaf, key: `${leaf.subject} ${others.join()}` };
}

/** Whether a part of a condition holds if a name is part of the path that has one of its texts in it. */
function isSearch(part: Condition): part is Leaf {
  return part.kind === 'leaf' && isOnNames(part) && !part.comparison.operator.negated;
}

function isOnNames({ subject, comparison }: Leaf): boolean {
  return subject !== 'record' && comparison.operator.relation === 'contains';
}

/** All leaves that look for texts in paths, but for one. */
function* searchesIn(condition: Condition, except: Leaf | undefined): Generator<Leaf> {
  if (condition.kind !== 'leaf') for (const part of condition.of) yield* searchesIn(part, except);
  else if (condition !== except && isOnNames(condition)) yield condition;
}
