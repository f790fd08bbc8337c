import type { ValueType } from '../../core/index.ts';
import { nearest } from '../../nearest.ts';
import { relationOf } from './operators.ts';
import { dialectOf, isJsonPath } from './path-dialects.ts';
import {
  comparisonsIn,
  filtersRecords,
  type AssetSelector,
  type Audience,
  type Comparison,
  type Policy,
  type PolicyFile,
} from './policy.ts';

/** What means everybody elsewhere, in lower case. */
const EVERYBODY: ReadonlySet<string> = new Set(['*', 'all', 'any', 'anyone', 'everybody', 'everyone']);
/** What means all assets elsewhere, in lower case; `all` does only in the place of the list. */
const EVERY_ASSET: ReadonlySet<string> = new Set(['*', 'all']);
/** Something about the caller in the words of other template languages; `${…}` is verified before. */
const REFERENCE = /[${(%<=]\s*\.?(?:entityId\b|claims[.[])/u;

/** More than one type in a text, or a blank that is easily overlooked. */
const NO_TYPE = /^\s|\s$|[/,]/u;
/** YAML and JSON have these in lower case only. */
const FLAG_IN_CAPITALS = /^(?:True|TRUE|False|FALSE)$/u;

/** Which attributes of a condition are about names of properties, and about their prefixes. */
type Names = Pick<PolicyFile, 'attrName' | 'object'>;

/**
 * Texts of a policy that are compared letter by letter, and that look as if they were meant as more: policies that hold for
 * nobody, or mask nothing.
 *
 * @returns what each is, as a sentence without its end
 */
export function doubtfulTexts(
  { for: audience, except, action, properties, object, when, assets }: Policy,
  names: Names,
): readonly string[] {
  const paths = Array.isArray(properties) ? properties : [];
  // The conditions of filters are about records only.
  const named = filtersRecords(action) ? undefined : names;
  return [
    ...[...(audience ?? []), ...(except ?? [])].flatMap(doubtsAboutAudience),
    ...doubtsAboutAssets(assets),
    ...doubtsAboutPaths(paths),
    ...doubtsAboutProperties(paths, object),
    ...(when === undefined ? [] : comparisonsIn(when)).flatMap((one) => doubtsAboutComparison(one, named)),
  ];
}

function doubtsAboutAudience({ entityIds = [], entityTypes = [], claims = [] }: Audience): readonly string[] {
  const names = [...entityIds, ...entityTypes];
  const references = [...names, ...claims.flatMap(({ values }) => values)].filter((text) =>
    REFERENCE.test(text),
  );
  return [
    ...names
      .filter((text) => EVERYBODY.has(text.toLowerCase()))
      .map((text) => `${text} is an id or a type like others; a policy without for is for everyone`),
    ...entityTypes
      .filter((text) => NO_TYPE.test(text))
      .map((text) => `"${text}" is one type: list each type by itself, and users in entityIds`),
    ...references.map((text) => `${text} is not replaced in for and except`),
  ];
}

function doubtsAboutAssets(assets: AssetSelector | undefined): readonly string[] {
  if (assets === undefined || assets.ids === 'all') return [];
  return assets.ids
    .filter((id) => EVERY_ASSET.has(id.toLowerCase()))
    .map((id) => `${id} is an asset of this id: write ids: all for every asset`);
}

function doubtsAboutComparison(
  { attribute, operator, type, values }: Comparison,
  names: Names | undefined,
): readonly string[] {
  const texts = values.filter((value) => typeof value === 'string');
  const references = texts.filter((text) => REFERENCE.test(text)).map(notReplaced);
  if (names === undefined) return references;
  const known = [names.attrName, names.object];
  if (attribute === names.attrName && relationOf(operator) === 'equality') {
    const dialects = texts.filter((text) => dialectOf(text) !== undefined);
    const words = 'is compared with dotted names, such as customer.ssn';
    return [...references, ...dialects.map((text) => `${text} ${words}`), ...doubtsAboutPaths(texts)];
  }
  if (known.includes(attribute)) return references;
  const meant = nearest(attribute, known, 1);
  return [
    ...references,
    ...doubtsAboutPaths([attribute]),
    ...(relationOf(operator) === 'equality' ? texts.flatMap((text) => doubtAboutValue(text, type)) : []),
    ...(meant === undefined ? [] : [`${attribute} is read of records: names are ${meant}`]),
  ];
}

function doubtAboutValue(text: string, type: ValueType): readonly string[] {
  if (/^\*.|.\*$/u.test(text))
    return [
      `${text} is compared letter by letter: use STARTS_WITH, ENDS_WITH or CONTAINS, without the asterisk`,
    ];
  return type === 'STRING' && FLAG_IN_CAPITALS.test(text)
    ? [`${text} is text: of truth values, write ${text.toLowerCase()}`]
    : [];
}

function doubtsAboutProperties(paths: readonly string[], object: string | undefined): readonly string[] {
  const everything = paths.filter((path) => path.toLowerCase() === 'all');
  const twice = object === undefined ? [] : paths.filter((path) => path.startsWith(`${object}.`));
  return [
    ...everything.map(
      (path) => `${path} is a property of this name: write properties: all for every property`,
    ),
    ...twice.map((path) => `${path} is looked for in ${object}, which object says already`),
  ];
}

function doubtsAboutPaths(paths: readonly string[]): readonly string[] {
  const deep = paths.filter((path) => !isJsonPath(path) && path.split('.').includes('**'));
  return deep.map((path) => `${path} is for one level only: ** is the same as *`);
}

function notReplaced(text: string): string {
  return `${text} is not replaced: write \${entityId} or \${claims.x}, and nothing beside it`;
}
