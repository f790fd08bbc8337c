import type { Path } from '../../../core/paths/path.ts';
import { ALWAYS } from '../../../core/conditions/condition.ts';
import { readAction } from './action.ts';
import {
  attributeValues,
  read,
  readAccess,
  type AccessAnswer,
  type ActionAnswer,
  type Answer,
} from './answer.ts';
import { notUnderstood, type Place } from './error.ts';
import { readPath } from './path.ts';
import { readPolicies } from './policies.ts';
import type { Found } from './order.ts';
import type { DecisionSettings } from '../../../enforcement/decision-settings.ts';

/** What an entry asks that names no action (specification 2.5). */
const DEFAULT_ACTION: ActionAnswer = { action: 'MASK' };

/** Reads the access section: properties with their actions, and in context mode assets (enforcement §6, §8). */
export function readAccessSection({ access }: Answer, settings: DecisionSettings): readonly Found[] {
  return access.flatMap((unread) => {
    const isAsset = unread.resourceType === settings.protectedObject;
    if (!isAsset && unread.resourceType !== settings.assetType) return [];
    return readEntry(readAccess(unread), isAsset, settings, unread.place);
  });
}

function readEntry(entry: AccessAnswer, isAsset: boolean, settings: DecisionSettings, place: Place): Found[] {
  const assetIds = isAsset ? new Set(entry.path ?? []) : undefined;
  if (assetIds?.size === 0) throw notUnderstood('an asset without an identifier', place);
  const actions = entry.actions.length > 0 ? entry.actions : [DEFAULT_ACTION];
  return actions.flatMap((answer, i): Found[] => {
    const at = [...place, 'actions', i];
    const { action, priority } = readAction(answer, at);
    const origin = { policies: readPolicies(entry, answer, at), assetIds };
    if (action.kind !== 'filter') {
      const properties = propertiesOf(entry, isAsset, settings, place);
      return [{ rule: { ...origin, action, about: { properties }, priority, isDenied: false } }];
    }
    if (!settings.filter) return [];
    if (!isAsset) throw notUnderstood('FILTER on a property, which tells nothing of records,', at);
    return [{ filter: { ...origin, effect: 'allow', condition: ALWAYS } }];
  });
}

/** The properties that an entry names, each below the prefix where there is one. */
function propertiesOf(
  entry: AccessAnswer,
  isAsset: boolean,
  settings: DecisionSettings,
  place: Place,
): readonly Path[] {
  const columns = attributeOf(entry, settings.attrName, place);
  const paths = columns.length > 0 || isAsset ? columns : (entry.path ?? []);
  if (paths.length === 0) throw notUnderstood('an entry that names no property', place);
  const properties = paths.map((path) => readPath(path, place));
  if (columns.length === 0) return properties;
  const prefixes = attributeOf(entry, settings.object, place).map((prefix) => readPath(prefix, place));
  return (prefixes.length > 0 ? prefixes : [[]]).flatMap((prefix) =>
    properties.map((path) => prefix.concat(path)),
  );
}

function attributeOf(entry: AccessAnswer, name: string | undefined, place: Place): readonly string[] {
  const value = name === undefined ? undefined : entry.attributes?.[name];
  if (value === undefined || value === null) return [];
  return read(attributeValues, value, [...place, 'attributes']).filter((text) => text !== '');
}
