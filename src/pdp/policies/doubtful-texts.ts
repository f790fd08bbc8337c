import { nearest } from '../../nearest.ts';
import { relationOf } from './operators.ts';
import { dialectOf, isJsonPath } from './path-dialects.ts';
import {
  comparisonsIn,
  filtersRecords,
  type Audience,
  type Comparison,
  type Policy,
  type PolicyFile,
} from './policy.ts';

/** What means everybody elsewhere, in lower case. */
const EVERYBODY: ReadonlySet<string> = new Set(['*', 'all', 'any', 'anyone', 'everybody', 'everyone']);
/** Something about the caller in the words of other template languages; `${…}` is verified before. */
const REFERENCE = /[${(%<=]\s*\.?(?:entityId\b|claims[.[])/u;

/** Which attributes of a condition are about names of properties, and about their prefixes. */
type Names = Pick<PolicyFile, 'attrName' | 'object'>;

/**
 * Texts of a policy that are compared letter by letter, and that look as if they were meant as more: policies that hold for
 * nobody, or mask nothing.
 *
 * @returns what each is, as a sentence without its end
 */
export function doubtfulTexts(
  { for: audience, except, action, properties, when }: Policy,
  names: Names,
): readonly string[] {
  const paths = Array.isArray(properties) ? properties : [];
  // The conditions of filters are about records only.
  const named = filtersRecords(action) ? undefined : names;
  return [
    ...[...(audience ?? []), ...(except ?? [])].flatMap(doubtsAboutAudience),
    ...doubtsAboutPaths(paths),
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
    ...references.map((text) => `${text} is not replaced in for and except`),
  ];
}

function doubtsAboutComparison(
  { attribute, operator, values }: Comparison,
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
  return meant === undefined
    ? references
    : [...references, `${attribute} is read of records: names are ${meant}`];
}

function doubtsAboutPaths(paths: readonly string[]): readonly string[] {
  const deep = paths.filter((path) => !isJsonPath(path) && path.split('.').includes('**'));
  return deep.map((path) => `${path} is for one level only: ** is the same as *`);
}

function notReplaced(text: string): string {
  return `${text} is not replaced: write \${entityId} or \${claims.x}, and nothing beside it`;
}
