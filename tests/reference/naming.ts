import { comparisonsOf, compareValues, holds, type Comparison, type Condition } from './condition.ts';
import { readOfRecord, startsAtPayload, type Document } from './document.ts';
import { leadsAlong } from './match.ts';
import { isContainer, stringOf } from './model.ts';
import { isExact, pathOfDecision, type Path } from './path.ts';
import type { Place, Step } from './place.ts';
import { isAbsent, isLeaf, type Property } from './property.ts';

/** The attributes of a condition tree that speak of property names instead of reading the record. */
export interface NameAttributes {
  readonly attrName: string | undefined;
  readonly object: string | undefined;
}

interface Subject {
  readonly document: Document;
  readonly record: Place;
}

/** A part of a property's route. The prefix ends where the column starts. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Decides a tree that says nothing of property names on a record. */
export function holdsForRecord(condition: Condition, { document, record }: Subject): boolean {
  return holds(condition, (comparison) => {
    return compareValues(comparison, readOfRecord(document, record, pathOfDecision(comparison.attribute)));
  });
}

/**
 * Decides a tree on one property of a record (enforcement §6, privileges). Where the tree speaks of prefixes, each way to
 * split the property's path in prefix and column counts. What is no leaf property must have been named.
 */
export function holdsForProperty(
  condition: Condition,
  names: NameAttributes,
  subject: Subject,
  property: Property,
): boolean {
  return splitsOf(condition, names, subject.record, property).some((split) => {
    const decide = (comparison: Comparison): boolean => decideAt(split, comparison, names, subject, property);
    return holds(condition, decide) && (isLeaf(property) || holdsByName(condition, decide, names));
  });
}

/** The full paths of the properties that a tree names one by one, prefix and column. */
export function namedPaths(condition: Condition, names: NameAttributes): Path[] {
  const columns = exactPaths(condition, names.attrName);
  const prefixes = exactPaths(condition, names.object);
  return [...columns, ...prefixes.flatMap((prefix) => columns.map((column) => prefix.concat(column)))];
}

/** Refuses a tree with an attribute or a name that is no path. */
export function checkPaths(condition: Condition, names: NameAttributes): void {
  namedPaths(condition, names);
  for (const { attribute } of comparisonsOf(condition)) {
    if (attribute !== names.attrName && attribute !== names.object) pathOfDecision(attribute);
  }
}

function exactPaths(condition: Condition, attribute: string | undefined): Path[] {
  const exact = comparisonsOf(condition).filter(
    (comparison) => comparison.attribute === attribute && isExactName(comparison),
  );
  return exact.flatMap(({ values }) => values.map(pathOfDecision));
}

function isExactName({ test, negated }: Comparison): boolean {
  return test === 'equals' && !negated;
}

function splitsOf(condition: Condition, names: NameAttributes, record: Place, property: Property): number[] {
  const first = record.route.length;
  const mentionsPrefix = comparisonsOf(condition).some(({ attribute }) => attribute === names.object);
  return mentionsPrefix ? property.route.slice(first).map((_, at) => first + at) : [first];
}

function decideAt(
  split: number,
  comparison: Comparison,
  names: NameAttributes,
  subject: Subject,
  property: Property,
): boolean {
  const { attribute } = comparison;
  if (attribute === names.attrName) {
    return decideColumn(comparison, subject, property, { from: split, to: property.route.length });
  }
  if (attribute === names.object) {
    return decideName(comparison, subject, property, { from: subject.record.route.length, to: split });
  }
  return holdsForRecord(comparison, subject);
}

function decideColumn(comparison: Comparison, subject: Subject, property: Property, part: Part): boolean {
  if (comparison.negated && isContainer(property.slot.value)) return false;
  return decideName(comparison, subject, property, part);
}

function decideName(comparison: Comparison, subject: Subject, property: Property, part: Part): boolean {
  if (isExactName(comparison)) {
    const paths = comparison.values.map(pathOfDecision);
    return paths.some(
      (path) => (!isAbsent(property) || isExact(path)) && leadsTo(path, subject, property, part),
    );
  }
  if (isAbsent(property)) return false;
  const spellings = spellingsOf(property.route.slice(part.from, part.to));
  return compareValues({ ...comparison, everyValue: false }, spellings.map(stringOf));
}

function leadsTo(
  path: Path,
  { document, record }: Subject,
  { route }: Property,
  { from, to }: Part,
): boolean {
  const first = record.route.length;
  if (from > first || !startsAtPayload(document, path)) return leadsAlong(path, route.slice(from, to));
  return leadsAlong(path, route.slice(0, to)) || (to === first && leadsToArrayOf(path, record));
}

/** Whether a prefix ends at the array that holds the record. */
function leadsToArrayOf(path: Path, { route }: Place): boolean {
  const array = route.slice(0, route.findLastIndex((step) => typeof step === 'string') + 1);
  return leadsAlong(path, array);
}

/** Names joined by dots, with the arrays on the way passed over or as `#`. */
function spellingsOf(route: readonly Step[]): string[] {
  if (route.length === 0) return [];
  const passedOver = route.filter((step) => typeof step === 'string').join('.');
  return [passedOver, route.map((step) => (typeof step === 'string' ? step : '#')).join('.')];
}

/** Whether a tree holds, and a positive comparison of the name has its part in that. */
function holdsByName(
  condition: Condition,
  decide: (comparison: Comparison) => boolean,
  names: NameAttributes,
): boolean {
  if (!holds(condition, decide)) return false;
  if (condition.kind === 'comparison') return condition.attribute === names.attrName && !condition.negated;
  return condition.conditions.some((inner) => holdsByName(inner, decide, names));
}
