import type { FilterRule } from '../../../core/rule.ts';
import { readAction } from './action.ts';
import { readPrivilege, type ActionAnswer, type Answer, type EntryAnswer } from './answer.ts';
import { readCondition, type ConditionSettings } from './condition.ts';
import type { Place } from './error.ts';
import type { Found } from './order.ts';
import { readPolicies } from './policies.ts';
import type { DecisionSettings } from '../../../enforcement/decision-settings.ts';

type Effect = FilterRule['effect'];

/** A filter is about records, not about one of their properties: all leaves of its condition read the record. */
const ON_RECORDS: ConditionSettings = { attrName: undefined, object: undefined };

/** Reads the privileges section: conditional masking and filters, allowed and denied (enforcement §6). */
export function readPrivilegesSection(
  { allowed, denied }: Answer,
  settings: DecisionSettings,
): readonly Found[] {
  const read = (entries: Answer['allowed'], effect: Effect) =>
    entries
      .filter(({ resourceType }) => resourceType === settings.assetType)
      .flatMap((unread) => readEntry(readPrivilege(unread), effect, settings, unread.place));
  return [...read(denied, 'deny'), ...read(allowed, 'allow')];
}

function readEntry(
  entry: EntryAnswer,
  effect: Effect,
  settings: DecisionSettings,
  place: Place,
): readonly Found[] {
  return entry.actions.flatMap((answer, i) =>
    readPrivilegeAction(entry, answer, effect, settings, [...place, 'actions', i]),
  );
}

function readPrivilegeAction(
  entry: EntryAnswer,
  answer: ActionAnswer,
  effect: Effect,
  settings: DecisionSettings,
  place: Place,
): readonly Found[] {
  const { action, priority } = readAction(answer, place);
  const isFilter = action.kind === 'filter';
  const tree = answer['asset-attributes-filter'];
  const at = [...place, 'asset-attributes-filter'];
  const condition = readCondition(tree, isFilter ? ON_RECORDS : settings, at);
  const origin = { policies: readPolicies(entry, answer, place), assetIds: undefined };
  if (isFilter) return settings.filter ? [{ filter: { ...origin, effect, condition } }] : [];
  const rule = { ...origin, about: { condition } };
  if (effect === 'allow') return [{ rule: { ...rule, action, priority, isDenied: false } }];
  return [{ rule: { ...rule, action: { kind: 'mask' }, priority: undefined, isDenied: true } }];
}
