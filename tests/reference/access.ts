import { attributeValues } from './attribute.ts';
import { creatableIn } from './create.ts';
import { memberOfObject, stringOrNothing, stringsOf } from './decision.ts';
import type { Document } from './document.ts';
import { actionOf, policiesBehind } from './entry.ts';
import { objectOf, scalarText, type Json } from './model.ts';
import { pathBelow, pathOfDecision, type Path } from './path.ts';
import type { Place } from './place.ts';
import { isAbsent, sameProperty } from './property.ts';
import { namesPlace } from './readings.ts';
import { requireOfDecision } from './refusal.ts';
import type { MaskRule, Rule, RuleReader, RuleSettings } from './rule.ts';
import { unsplit } from './split.ts';

/** Reads a rule of the access section (docs/enforcement.md#which-properties). */
export const accessRule: RuleReader = (entry, action, settings) => {
  const type = stringOrNothing(memberOfObject(entry, 'resourceType'));
  const isOfAsset = type === settings.asset?.protectedObject;
  const isOfBoth = isOfAsset && type === settings.assetType;
  const isAboutProperties = isOfBoth && actionOf(action).action.kind !== 'filter';
  return isOfAsset && !isAboutProperties
    ? assetRule(entry, action, settings)
    : propertyRule(
        entry,
        action,
        isOfBoth ? namedPaths(entry, settings) : pathsOf(entry, settings),
        settings,
      );
};

/** The asset identifiers of a record, as texts. */
export function assetIdsOf(
  record: Place,
  { document, asset }: Pick<RuleSettings, 'document' | 'asset'>,
): string[] {
  const values = asset === undefined ? [] : attributeValues(document, record, asset.idPath);
  return values.flatMap((value) => scalarText(value) ?? []);
}

/** What is about every record. No such entry can say that a record is authorized. */
function propertyRule(
  entry: Json,
  action: Json | undefined,
  paths: readonly Path[],
  settings: RuleSettings,
): Rule {
  const { action: what, priority } = actionOf(action);
  const common = { ...policiesBehind(entry, action), denied: false };
  if (what.kind === 'filter') {
    requireOfDecision(!settings.filtering, 'FILTER in the access section');
    return { ...common, holds: () => true };
  }
  requireOfDecision(paths.length > 0, 'an entry without properties');
  const { document } = settings;
  return {
    ...common,
    action: what,
    priority,
    fits: (property, record) => {
      if (isAbsent(property))
        return wouldCreate(paths, document, record).some((other) => sameProperty(other, property));
      return paths.some((path) => namesPlace(document, path, property.place, record));
    },
    creatable: (record) => wouldCreate(paths, document, record),
  };
}

/** What is about the records of one asset only. */
function assetRule(entry: Json, action: Json | undefined, settings: RuleSettings): Rule {
  const { action: what, priority } = actionOf(action);
  const common = { ...policiesBehind(entry, action), denied: false };
  const ids = stringsOf(memberOfObject(entry, 'path'));
  const concerns = (record: Place): boolean => assetIdsOf(record, settings).some((id) => ids.includes(id));
  const paths = namedPaths(entry, settings);
  if (what.kind === 'filter') return { ...common, holds: concerns };
  return {
    ...common,
    action: what,
    priority,
    ...fitsAsset(paths, settings.document, concerns),
  };
}

/** The root and the arrays around a record count as the record itself: they cannot be masked for one asset alone. */
function fitsAsset(
  paths: readonly Path[],
  document: Document,
  concerns: (record: Place) => boolean,
): Pick<MaskRule, 'fits' | 'creatable'> {
  requireOfDecision(paths.length > 0, 'an entry without properties');
  const creatable: MaskRule['creatable'] = (record) =>
    concerns(record) ? wouldCreate(paths, document, record) : [];
  return {
    fits: (property, record) => {
      if (record === undefined || !concerns(record)) return false;
      if (isAbsent(property)) return creatable(record).some((other) => sameProperty(other, property));
      return paths.some(unsplit({ document, record }, property.place).name.isNamedBy);
    },
    creatable,
  };
}

/** The properties that an entry is about. Without names, its path is the property, as it is and below each prefix. */
function pathsOf(entry: Json, settings: RuleSettings): Path[] {
  const named = namedPaths(entry, settings);
  if (named.length > 0) return named;
  const paths = stringsOf(memberOfObject(entry, 'path')).map(pathOfDecision);
  return [...paths, ...below(prefixesOf(entry, settings), paths)];
}

/** The properties that an entry names by its attributes, each below each of its prefixes. */
function namedPaths(entry: Json, settings: RuleSettings): Path[] {
  const prefixes = prefixesOf(entry, settings);
  const names = attributeOf(entry, settings.attrName).map(pathOfDecision);
  return prefixes.length === 0 ? names : below(prefixes, names);
}

function prefixesOf(entry: Json, { object }: RuleSettings): Path[] {
  return attributeOf(entry, object).map(pathOfDecision);
}

function below(prefixes: readonly Path[], paths: readonly Path[]): Path[] {
  return prefixes.flatMap((prefix) => paths.map((path) => pathBelow(prefix, path)));
}

function attributeOf(entry: Json, name: string | undefined): readonly string[] {
  if (name === undefined) return [];
  return stringsOf(memberOfObject(memberOfObject(entry, 'attributes') ?? objectOf([]), name));
}

function wouldCreate(
  paths: readonly Path[],
  document: Document,
  record: Place | undefined,
): ReturnType<typeof creatableIn> {
  return record === undefined ? [] : paths.flatMap((path) => creatableIn(document, record, path));
}
