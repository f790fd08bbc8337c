import { ALWAYS, MASK, type FilterRule, type MaskKeys, type RuleSource } from '../../../core/index.ts';
import { readAction } from '../action.ts';
import { placeOfRule, type ActionAnswer, type EntryAnswer } from './answer.ts';
import type { Answer } from './answer-value.ts';
import type { ConditionSettings } from './condition.ts';
import type { KnownEntries } from './known-rules.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import type { Found } from '../order.ts';
import { readPolicies } from './policies.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';

type Effect = FilterRule['effect'];

/** What privileges are read with. */
interface Reading {
  readonly settings: DecisionSettings;
  readonly keys: MaskKeys;
}

/** A filter is about records, not about one of their properties: all leaves of its condition read the record. */
const ON_RECORDS: ConditionSettings = { attrName: undefined, object: undefined };

/**
 * Reads the privileges section: conditional masking and filters, allowed and denied
 * (docs/enforcement.md#conditional-masking).
 */
export function readPrivilegesSection(
  { allowed, denied }: Answer,
  settings: DecisionSettings,
  keys: MaskKeys,
  known: KnownEntries,
): readonly Found[] {
  const reading = { settings, keys };
  const read = (entries: Answer['allowed'], effect: Effect) =>
    entries.flatMap((entry) =>
      known.find(entry, () => {
        const answer = entry.privilege((resourceType) => isAbout(resourceType, settings));
        return answer ? readEntry(answer, effect, reading, entry.place) : [];
      }),
    );
  return [...read(denied, 'deny'), ...read(allowed, 'allow')];
}

/**
 * In context mode, privileges of the protected object count like those of the asset type (docs/enforcement.md#context).
 */
function isAbout(resourceType: string, { assetType, protectedObject }: DecisionSettings): boolean {
  return resourceType === assetType || resourceType === protectedObject;
}

function readEntry(
  entry: EntryAnswer,
  effect: Effect,
  reading: Reading,
  place: JsonPointer,
): readonly Found[] {
  return entry.actions.flatMap((answer, i) =>
    readPrivilegeAction(entry, answer, effect, reading, [...place, 'actions', i]),
  );
}

function readPrivilegeAction(
  entry: EntryAnswer,
  answer: ActionAnswer,
  effect: Effect,
  { settings, keys }: Reading,
  place: JsonPointer,
): readonly Found[] {
  const { action, text, priority } = readAction(answer, place, keys);
  const isFilter = action.kind === 'filter';
  if (!isFilter && settings.attrName === undefined)
    throw notUnderstood(
      'a privilege, but attrName is not configured: nothing identifies its property,',
      place,
    );
  const condition =
    answer.condition?.(isFilter ? ON_RECORDS : settings, [...place, 'asset-attributes-filter']) ?? ALWAYS;
  const written = { place: placeOfRule(entry, place), action: text, priority };
  const origin = { policies: readPolicies(entry, answer, place), assetIds: undefined };
  if (isFilter) {
    const source: RuleSource = { ...written, effect: effect === 'allow' ? 'allowed' : 'denied' };
    return settings.filter ? [{ filter: { ...origin, source, effect, condition } }] : [];
  }
  const rule = { ...origin, about: { condition } };
  if (effect === 'allow') return [{ rule: { ...rule, source: { ...written, effect: 'allowed' }, action } }];
  const source: RuleSource = { ...written, action: 'MASK', priority: undefined, effect: 'denied' };
  return [{ rule: { ...rule, source, action: MASK } }];
}
