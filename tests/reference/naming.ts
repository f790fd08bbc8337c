import { attributeValues } from './attribute.ts';
import { alternativesOf, compareValues, type Comparison, type Condition } from './condition.ts';
import { creatableIn } from './create.ts';
import type { Document } from './document.ts';
import { stringOf } from './model.ts';
import { pathBelow, pathOfDecision, type Path } from './path.ts';
import type { Place } from './place.ts';
import { isAbsent, isLeaf, sameProperty, type Property } from './property.ts';
import { splitsOf, unsplit, type Naming, type Split } from './split.ts';

/** The attributes of a condition tree that are about property names and do not read the record. */
export interface NameAttributes {
  readonly attrName: string | undefined;
  readonly object: string | undefined;
}

interface Subject {
  readonly document: Document;
  readonly record: Place;
}

type Alternative = readonly Comparison[];

/** Decides a tree on a record; every attribute reads the record. */
export function holdsForRecord(condition: Condition, subject: Subject): boolean {
  return alternativesOf(condition).some((alternative) =>
    alternative.every((comparison) => holdsByValue(comparison, subject)),
  );
}

/** Decides a tree on one property of a record: one of its alternatives must hold (docs/enforcement.md#conditions-on-names). */
export function holdsForProperty(
  condition: Condition,
  names: NameAttributes,
  subject: Subject,
  property: Property,
): boolean {
  const alternatives = alternativesOf(condition);
  const prefixes = alternatives.flat().filter((comparison) => kindOf(comparison, names) === 'prefix');
  return alternatives.some((alternative) => {
    const isOnNames = (comparison: Comparison): boolean => kindOf(comparison, names) !== 'value';
    return (
      isAsked(alternative, names, subject, property) &&
      holdsByNames(alternative.filter(isOnNames), names, subject, property.place, prefixes) &&
      alternative.every((comparison) => isOnNames(comparison) || holdsByValue(comparison, subject))
    );
  });
}

/** The properties of a record that a tree names and a literal could create. */
export function creatableByNames(
  condition: Condition,
  names: NameAttributes,
  { document, record }: Subject,
): Property[] {
  const paths = alternativesOf(condition).flatMap((alternative) => fullPaths(alternative, names));
  return paths.flatMap((path) => creatableIn(document, record, path));
}

/** Refuses a tree with an attribute or a name that is no path. */
export function checkPaths(condition: Condition, names: NameAttributes): void {
  if (condition.kind !== 'comparison') {
    condition.conditions.forEach((inner) => checkPaths(inner, names));
    return;
  }
  if (kindOf(condition, names) === 'value') pathOfDecision(condition.attribute);
  else if (condition.test === 'equals') condition.values.forEach(pathOfDecision);
}

function kindOf(
  { attribute }: Comparison,
  { attrName, object }: NameAttributes,
): 'name' | 'prefix' | 'value' {
  if (attribute === attrName) return 'name';
  return attribute === object ? 'prefix' : 'value';
}

function holdsByValue(comparison: Comparison, { document, record }: Subject): boolean {
  return compareValues(comparison, attributeValues(document, record, pathOfDecision(comparison.attribute)));
}

/**
 * Which properties an alternative is asked about: of every kind if it names them, else leaf properties only. A record as
 * a whole, and a property that is absent, must be named by a path.
 */
function isAsked(
  alternative: Alternative,
  names: NameAttributes,
  { document, record }: Subject,
  property: Property,
): boolean {
  if (isAbsent(property)) {
    return fullPaths(alternative, names).some((path) =>
      creatableIn(document, record, path).some((other) => sameProperty(other, property)),
    );
  }
  if (isLeaf(property)) return true;
  const naming = alternative.filter(
    (comparison) => kindOf(comparison, names) === 'name' && !comparison.negated,
  );
  const isWholeRecord = property.place.slot === record.slot;
  return naming.some(({ test }) => test === 'equals' || !isWholeRecord);
}

/** Tries every split if the alternative mentions prefixes. */
function holdsByNames(
  comparisons: Alternative,
  names: NameAttributes,
  subject: Subject,
  place: Place,
  prefixes: Alternative,
): boolean {
  const mentionsPrefix = comparisons.some((comparison) => kindOf(comparison, names) === 'prefix');
  const splits = mentionsPrefix ? splitsOf(subject, place) : [unsplit(subject, place)];
  return splits.some((_split, at) =>
    comparisons.every((comparison) =>
      holdsAtSplit(comparison, kindOf(comparison, names), at, splits, prefixes),
    ),
  );
}

/**
 * A comparison of prefixes covers what is below as well. A negated one holds if its positive counterpart holds for no split, a
 * negated one of names if it holds neither at the split nor at a shorter prefix that is covered, and above the record neither for the
 * name that is not split.
 */
function holdsAtSplit(
  comparison: Comparison,
  kind: 'name' | 'prefix' | 'value',
  at: number,
  splits: readonly Split[],
  prefixes: Alternative,
): boolean {
  const upTo = splits.slice(0, at + 1);
  const isCovered = (by: Comparison, last: number): boolean =>
    splits.slice(0, last + 1).some(({ prefix }) => fitsNaming(by, prefix));
  if (kind === 'prefix')
    return comparison.negated
      ? !splits.some(({ prefix, isWhole }) => isWhole !== true && fitsNaming(comparison, prefix))
      : isCovered(comparison, at);
  if (!comparison.negated) return splits.slice(at, at + 1).some(({ name }) => fitsNaming(comparison, name));
  const isUnsplit =
    splits[at]?.isAbove === true && splits.slice(0, 1).some(({ name }) => fitsNaming(comparison, name));
  const isNamed = upTo.some(
    ({ name }, index) =>
      (index === at || prefixes.some((prefix) => isCovered(prefix, index))) && fitsNaming(comparison, name),
  );
  return !isNamed && !isUnsplit;
}

/** Whether the positive counterpart of a comparison holds in any reading. */
function fitsNaming(comparison: Comparison, naming: Naming): boolean {
  if (comparison.test === 'equals')
    return comparison.values.map(pathOfDecision).some((path) => naming.isNamedBy(path));
  return comparison.values.some((value) => {
    const more = value.startsWith('json') ? naming.spellingsWithJson() : [];
    const one = { ...comparison, negated: false, everyValue: false, values: [value] };
    return compareValues(one, [...naming.spellings(), ...more].map(stringOf));
  });
}

/** The paths that an alternative names: each name, below each prefix if there are any. */
function fullPaths(alternative: Alternative, names: NameAttributes): Path[] {
  const paths = pathsOf(alternative, 'name', names);
  const prefixes = pathsOf(alternative, 'prefix', names);
  const below = prefixes.flatMap((prefix) => paths.map((path) => pathBelow(prefix, path)));
  return [...paths, ...below];
}

function pathsOf(alternative: Alternative, kind: 'name' | 'prefix', names: NameAttributes): Path[] {
  return alternative
    .filter((comparison) => kindOf(comparison, names) === kind)
    .filter(({ test, negated }) => test === 'equals' && !negated)
    .flatMap(({ values }) => values.map(pathOfDecision));
}
