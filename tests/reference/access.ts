import { memberOfObject, stringsOf } from './decision.ts';
import { readOfRecord, startsAtPayload, type Document } from './document.ts';
import { actionOf, policiesBehind } from './entry.ts';
import { leadsAlong } from './match.ts';
import { scalarText } from './model.ts';
import { beginsWith, isExact, pathOfDecision, type Path } from './path.ts';
import type { Place } from './place.ts';
import { isAbsent, type Property } from './property.ts';
import { requireOfDecision } from './refusal.ts';
import type { MaskRule, Rule, RuleSettings } from './rule.ts';

/** Reads a rule of the access section (enforcement §6, in context mode §8). */
export function accessRule(entry: unknown, action: unknown, settings: RuleSettings): Rule {
  const concernsAsset = memberOfObject(entry, 'resourceType') === settings.asset?.protectedObject;
  return concernsAsset ? assetRule(entry, action, settings) : propertyRule(entry, action, settings);
}

/** The asset identifiers of a record, as texts. */
export function assetIdsOf(
  record: Place,
  { document, asset }: Pick<RuleSettings, 'document' | 'asset'>,
): string[] {
  const values = asset === undefined ? [] : readOfRecord(document, record, asset.idPath);
  return values.flatMap((value) => scalarText(value) ?? []);
}

/** What concerns every record. No such entry can say that a record is authorized. */
function propertyRule(entry: unknown, action: unknown, settings: RuleSettings): Rule {
  const { action: what, priority } = actionOf(action);
  const common = { ...policiesBehind(entry, action), denied: false };
  if (what.kind === 'filter') {
    requireOfDecision(!settings.filtering, 'FILTER in the access section');
    return { ...common, holds: () => true };
  }
  const columns = columnsOf(entry, settings);
  const paths = columns.length > 0 ? columns : stringsOf(memberOfObject(entry, 'path')).map(pathOfDecision);
  return { ...common, action: what, priority, ...fitsPaths(paths, settings.document) };
}

/** What concerns the records of one asset only. */
function assetRule(entry: unknown, action: unknown, settings: RuleSettings): Rule {
  const { action: what, priority } = actionOf(action);
  const common = { ...policiesBehind(entry, action), denied: false };
  const ids = stringsOf(memberOfObject(entry, 'path'));
  const concerns = (record: Place): boolean => assetIdsOf(record, settings).some((id) => ids.includes(id));
  if (what.kind === 'filter') return { ...common, holds: concerns };
  const { paths, fits } = fitsPaths(columnsOf(entry, settings), settings.document);
  const fitsAsset: MaskRule['fits'] = (record, property) => concerns(record) && fits(record, property);
  return { ...common, action: what, priority, paths, fits: fitsAsset };
}

/** The properties that an entry names by its attributes, each below each of its prefixes. */
function columnsOf(entry: unknown, { attrName, object }: RuleSettings): Path[] {
  const prefixes = attributeOf(entry, object).map(pathOfDecision);
  const columns = attributeOf(entry, attrName).map(pathOfDecision);
  if (prefixes.length === 0) return columns;
  return prefixes.flatMap((prefix) => columns.map((column) => prefix.concat(column)));
}

function attributeOf(entry: unknown, name: string | undefined): readonly string[] {
  return name === undefined ? [] : stringsOf(memberOfObject(memberOfObject(entry, 'attributes') ?? {}, name));
}

function fitsPaths(paths: readonly Path[], document: Document): Pick<MaskRule, 'paths' | 'fits'> {
  requireOfDecision(paths.length > 0, 'an entry without properties');
  requireOfDecision(!paths.some((path) => namesTheRoot(path, document)), 'the root as a property');
  return {
    paths,
    fits: (record, property) => paths.some((path) => fitsPath(path, document, record, property)),
  };
}

function fitsPath(path: Path, document: Document, record: Place, property: Property): boolean {
  if (isAbsent(property) && !isExact(path)) return false;
  const from = startsAtPayload(document, path) ? 0 : record.route.length;
  return leadsAlong(path, property.route.slice(from));
}

/** Whether a path has nothing after the root's own path but perhaps `#`: it names no property of a record. */
function namesTheRoot(path: Path, { rootPaths }: Document): boolean {
  return rootPaths.some((root) => {
    const [segment, ...more] = path.slice(root.length);
    return beginsWith(path, root) && more.length === 0 && (segment === undefined || segment.kind === 'each');
  });
}
