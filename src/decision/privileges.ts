import type { FilterRule } from '../masking/rule.ts';
import { readAction } from './action.ts';
import { readPrivilege, type Answer, type EntryAnswer } from './answer.ts';
import { readCondition } from './condition.ts';
import type { Place } from './error.ts';
import type { OrderedRule } from './order.ts';
import { readPolicies } from './policies.ts';
import type { DecisionSettings } from './settings.ts';

type Found = { readonly rule: OrderedRule } | { readonly filter: FilterRule };

/** Reads the privileges section: conditional masking and filters, allowed and denied (enforcement §6). */
export function readPrivilegesSection(
  { allowed, denied }: Answer,
  settings: DecisionSettings,
): readonly Found[] {
  const read = (entries: Answer['allowed'], effect: FilterRule['effect']) =>
    entries
      .filter(({ resourceType }) => resourceType === settings.assetType)
      .flatMap((unread) => readEntry(readPrivilege(unread), effect, settings, unread.place));
  return [...read(denied, 'deny'), ...read(allowed, 'allow')];
}

function readEntry(
  entry: EntryAnswer,
  effect: FilterRule['effect'],
  settings: DecisionSettings,
  place: Place,
): readonly Found[] {
  return entry.actions.flatMap((answer, i): Found[] => {
    const at = [...place, 'actions', i];
    const { action, priority } = readAction(answer, at);
    const condition = readCondition(answer['asset-attributes-filter'], settings, [
      ...at,
      'asset-attributes-filter',
    ]);
    const origin = { policies: readPolicies(entry, answer, at), assetIds: undefined };
    if (action.kind === 'filter')
      return settings.filter ? [{ filter: { ...origin, effect, condition } }] : [];
    if (effect === 'allow')
      return [{ rule: { ...origin, action, about: { condition }, priority, isDenied: false } }];
    return [
      {
        rule: {
          ...origin,
          action: { kind: 'mask' },
          about: { condition },
          priority: undefined,
          isDenied: true,
        },
      },
    ];
  });
}
