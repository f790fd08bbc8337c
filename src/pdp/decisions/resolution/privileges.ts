import {
  ALWAYS,
  MASK,
  type Condition,
  type FilterRule,
  type MaskKeys,
  type Policy,
} from '../../../core/index.ts';
import { readAction, type PrioritizedAction } from '../action.ts';
import { eachAction, WrittenRule, type ActionAnswer, type EntryAnswer, type EntryPlace } from './answer.ts';
import type { Answer } from './answer-value.ts';
import { Combinations } from './combinations.ts';
import type { ConditionSettings } from './condition.ts';
import type { KnownEntries } from './reading.ts';
import type { Entry } from './entry.ts';
import { notUnderstood, within, type JsonPointer } from '../not-understood.ts';
import { IDLE_FILTER, type Found } from '../order.ts';
import { readPolicies } from './policies.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';

type Effect = FilterRule['effect'];

/** What privileges are read with. */
interface Reading {
  readonly settings: DecisionSettings;
  readonly keys: MaskKeys;
  readonly combinations: Combinations;
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
  const reading = { settings, keys, combinations: new Combinations() };
  const isAsked = (resourceType: string): boolean => isAbout(resourceType, settings);
  const found: Found[] = [];
  const read = (entries: Answer['allowed'], effect: Effect): void => {
    const readOne = (entry: Entry, place: JsonPointer): readonly Found[] => {
      const answer = entry.privilege(isAsked);
      return answer ? readEntry(answer, effect, entry, reading, place) : [];
    };
    for (const entry of entries) for (const one of known.find(entry, readOne)) found.push(one);
  };
  read(denied, 'deny');
  read(allowed, 'allow');
  return found;
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
  writtenAt: EntryPlace,
  reading: Reading,
  place: JsonPointer,
): readonly Found[] {
  return eachAction(entry, (answer, i, isOnly) => {
    const asked = readPrivilegeAction(entry, answer, reading, within(within(place, 'actions'), i));
    return asked ? askedOf(asked, effect, writtenAt, isOnly ? undefined : i) : IDLE_FILTER;
  });
}

/** What an action of a privilege says. */
interface AskedPrivilege {
  readonly asked: PrioritizedAction;
  readonly condition: Condition;
  readonly policies: readonly Policy[];
}

/** @returns undefined for a filter if filtering is off */
function readPrivilegeAction(
  entry: EntryAnswer,
  answer: ActionAnswer,
  { settings, keys, combinations }: Reading,
  at: JsonPointer,
): AskedPrivilege | undefined {
  const asked = readAction(answer, at, keys);
  const isFilter = asked.action.kind === 'filter';
  if (!isFilter && settings.attrName === undefined)
    throw notUnderstood('a privilege, but attrName is not configured: nothing identifies its property,', at);
  const condition =
    answer.condition?.(isFilter ? ON_RECORDS : settings, within(at, 'asset-attributes-filter')) ?? ALWAYS;
  const policies = readPolicies(entry, answer, combinations, at);
  return isFilter && !settings.filter ? undefined : { asked, condition, policies };
}

function askedOf(
  { asked: { action, text, priority }, condition, policies }: AskedPrivilege,
  effect: Effect,
  writtenAt: EntryPlace,
  actionIndex: number | undefined,
): Found {
  const isAllowed = effect === 'allow';
  const about = { condition };
  if (!isAllowed && action.kind !== 'filter') {
    const source = new WrittenRule(writtenAt, actionIndex, 'MASK', undefined, 'denied');
    return { rule: { source, policies, assetIds: undefined, action: MASK, about } };
  }
  const source = new WrittenRule(writtenAt, actionIndex, text, priority, isAllowed ? 'allowed' : 'denied');
  if (action.kind === 'filter')
    return { filter: { source, policies, assetIds: undefined, effect, condition } };
  return { rule: { source, policies, assetIds: undefined, action, about } };
}
