import { ALWAYS, MASK, type FilterRule, type MaskKeys, type RuleSource } from '../../../core/index.ts';
import { readAction } from '../action.ts';
import { placeOfRule, type ActionAnswer, type EntryAnswer } from './answer.ts';
import type { Answer } from './answer-value.ts';
import type { ConditionSettings } from './condition.ts';
import type { KnownEntries } from './reading.ts';
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
  const found: Found[] = [];
  for (const [i, answer] of entry.actions.entries()) {
    const one = readPrivilegeAction(entry, answer, effect, reading, place, [...place, 'actions', i]);
    if (one) found.push(one);
  }
  return found;
}

function readPrivilegeAction(
  entry: EntryAnswer,
  answer: ActionAnswer,
  effect: Effect,
  { settings, keys }: Reading,
  ofEntry: JsonPointer,
  at: JsonPointer,
): Found | undefined {
  const { action, text, priority } = readAction(answer, at, keys);
  const isFilter = action.kind === 'filter';
  if (!isFilter && settings.attrName === undefined)
    throw notUnderstood('a privilege, but attrName is not configured: nothing identifies its property,', at);
  const condition =
    answer.condition?.(isFilter ? ON_RECORDS : settings, [...at, 'asset-attributes-filter']) ?? ALWAYS;
  const policies = readPolicies(entry, answer, at);
  const place = placeOfRule(entry, ofEntry, at);
  const isAllowed = effect === 'allow';
  if (isFilter) {
    if (!settings.filter) return undefined;
    const source: RuleSource = { place, action: text, priority, effect: isAllowed ? 'allowed' : 'denied' };
    return { filter: { source, policies, assetIds: undefined, effect, condition } };
  }
  const about = { condition };
  if (isAllowed) {
    const source: RuleSource = { place, action: text, priority, effect: 'allowed' };
    return { rule: { source, policies, assetIds: undefined, action, about } };
  }
  const source: RuleSource = { place, action: 'MASK', priority: undefined, effect: 'denied' };
  return { rule: { source, policies, assetIds: undefined, action: MASK, about } };
}
