import _ from 'lodash';
import { ALWAYS, type MaskKeys, type Path } from '../../../core/index.ts';
import type { ServiceError } from '../../../errors.ts';
import { readAction } from '../action.ts';
import { attributeValues, eachAction, WrittenRule, type AccessAnswer, type EntryPlace } from './answer.ts';
import type { Answer } from './answer-value.ts';
import type { Entry } from './entry.ts';
import { notUnderstood, within, type JsonPointer } from '../not-understood.ts';
import type { KnownEntries } from './reading.ts';
import { readPath } from '../path.ts';
import { isList } from './parts.ts';
import { readPolicies } from './policies.ts';
import { Combinations } from './combinations.ts';
import { IDLE_FILTER, type Found } from '../order.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';

/** Reads the access section: properties with their actions, and in context mode assets. */
export function readAccessSection(
  { access }: Answer,
  settings: DecisionSettings,
  keys: MaskKeys,
  known: KnownEntries,
): readonly Found[] {
  const { assetType, protectedObject } = settings;
  const isAsked = (resourceType: string): boolean =>
    resourceType === assetType || resourceType === protectedObject;
  const combinations = new Combinations();
  const reading = {
    settings,
    keys,
    combinations,
    idsIn: _.memoize((path: readonly string[]) => new Set(path)),
  };
  const read = (entry: Entry, place: JsonPointer): readonly Found[] => {
    const answer = entry.access(isAsked, settings);
    return answer ? readEntry(answer, entry, reading, place) : [];
  };
  const found: Found[] = [];
  for (const entry of access) for (const one of known.find(entry, read)) found.push(one);
  return found;
}

/** What the access section is read with. */
interface Reading {
  readonly settings: DecisionSettings;
  readonly keys: MaskKeys;
  readonly combinations: Combinations;
  /** The identifiers of a list: the embedded PDP has one list for many entries. */
  readonly idsIn: (path: readonly string[]) => ReadonlySet<string>;
}

function readEntry(
  entry: AccessAnswer,
  writtenAt: EntryPlace,
  { settings, keys, combinations, idsIn }: Reading,
  place: JsonPointer,
): readonly Found[] {
  const isAsset = entry.resourceType === settings.protectedObject;
  // If both types are the same, what is said of properties is about every record, and `path` is an identifier.
  const isAlone = isAsset && entry.resourceType !== settings.assetType;
  const assetIds = isAsset ? idsIn(entry.path ?? []) : undefined;
  if (isAlone && assetIds?.size === 0) throw withoutIdentifier(place);
  const properties = propertiesOf(entry, isAsset, settings, combinations, place);
  const actions = entry.actions.length;
  if (actions > 1)
    combinations.count(
      properties.length * actions,
      properties.length + actions,
      'actions of properties',
      place,
    );
  return eachAction(entry, (answer, i, isOnly) => {
    const at = within(within(place, 'actions'), i);
    if (answer.condition !== undefined) throw notUnderstood('a condition in the access section', at);
    const { action, text, priority } = readAction(answer, at, keys);
    const source = new WrittenRule(writtenAt, isOnly ? undefined : i, text, priority, 'allowed');
    const policies = readPolicies(entry, answer, combinations, at);
    if (action.kind !== 'filter') {
      if (properties.length === 0) throw notUnderstood('an entry that names no property', place);
      const ids = isAlone ? assetIds : undefined;
      return { rule: { source, policies, assetIds: ids, action, about: { properties } } };
    }
    if (!settings.filter) return IDLE_FILTER;
    if (!isAsset) throw notUnderstood('FILTER on a property, which says nothing about records,', at);
    if (assetIds?.size === 0) throw withoutIdentifier(place);
    return { filter: { source, policies, assetIds, effect: 'allow', condition: ALWAYS } };
  });
}

function withoutIdentifier(place: JsonPointer): ServiceError {
  return notUnderstood('an asset without an identifier', place);
}

/** The properties that an entry names, if any: below the prefix if it has one. */
function propertiesOf(
  entry: AccessAnswer,
  isAboutAsset: boolean,
  settings: DecisionSettings,
  combinations: Combinations,
  place: JsonPointer,
): readonly Path[] {
  const columns = namesIn(entry.columns, settings.attrName, place);
  const paths = columns.length > 0 || isAboutAsset ? columns : (entry.path ?? []);
  const properties = paths.map((path) => readPath(path, place));
  const names = namesIn(entry.prefixes, settings.object, place);
  if (names.length === 0) return properties;
  const prefixes = names.map((prefix) => readPath(prefix, place));
  const parts = names.length + properties.length;
  combinations.count(joinedCount(prefixes, properties), parts, 'properties below prefixes', place);
  const below = prefixes.flatMap((prefix) => properties.map((path) => prefix.concat(path)));
  // The PDP may have put the prefix into `path`, or not.
  return columns.length > 0 ? below : [...properties, ...below];
}

/** A joined path with more segments than this counts as several: each is as long as both of its parts together. */
const SEGMENTS = 8;

/** How many properties below prefixes there are; more if their paths are long. */
function joinedCount(prefixes: readonly Path[], properties: readonly Path[]): number {
  const segments = segmentsIn(prefixes) * properties.length + segmentsIn(properties) * prefixes.length;
  return Math.max(prefixes.length * properties.length, Math.ceil(segments / SEGMENTS));
}

function segmentsIn(paths: readonly Path[]): number {
  return _.sumBy(paths, 'length');
}

const NO_NAMES: readonly string[] = [];

/** @param name of the attribute that has the names */
function namesIn(value: unknown, name: string | undefined, place: JsonPointer): readonly string[] {
  if (value === undefined || value === null) return NO_NAMES;
  // The place of what is right is not made: decisions have many.
  if (isListOfNames(value)) return value;
  const at = within(within(place, 'attributes'), name ?? '');
  const names = attributeValues(value, at);
  if (names.includes('')) throw notUnderstood('an empty name', at);
  return names;
}

function isListOfNames(value: unknown): value is readonly string[] {
  return isList(value) && value.every((one) => typeof one === 'string' && one !== '');
}
