import { applyAction, createdBy, type Action, type MaskSettings } from './actions.ts';
import { startsAtPayload, type Document } from './document.ts';
import type { Path } from './path.ts';
import { isWithin, type Place } from './place.ts';
import type { Policy } from './policies.ts';
import {
  absentProperties,
  existingProperties,
  isAbsent,
  liesInside,
  sameProperty,
  setProperty,
  type Property,
} from './property.ts';
import type { MaskRule } from './rule.ts';

export interface Edit {
  readonly property: Property;
  readonly rule: MaskRule;
}

/** What becomes of the properties of one record. Nothing is changed before every record has its edits. */
export interface Edits {
  readonly edits: readonly Edit[];
  /** The policies in dry run that would have changed something. */
  readonly skipped: readonly Policy[];
}

/** Decides one action for each property of a record (enforcement §6, §7), from rules in the order of their rank. */
export function editsOf(rules: readonly MaskRule[], document: Document, record: Place): Edits {
  const hits = propertiesOf(rules, document, record).flatMap((property) => hitsOf(rules, record, property));
  const applied = hits.filter(({ rule }) => !rule.dryRun);
  const isHidden = ({ property }: Edit): boolean =>
    applied.some((outer) => liesInside(property, outer.property));
  const visible = hits.filter((hit) => !isHidden(hit));
  return {
    edits: inOrderOf(
      rules,
      visible.filter(({ rule }) => !rule.dryRun),
    ),
    skipped: visible.filter(({ rule }) => rule.dryRun).flatMap(({ rule }) => rule.policies),
  };
}

/** Whether an edit takes a property away: that is done when all others are. */
export function isRemoval({ rule: { action } }: Edit): boolean {
  return action.kind === 'remove';
}

export function applyEdit({ property, rule: { action } }: Edit, settings: MaskSettings): void {
  const { slot, missing } = property;
  const created = createdBy(action) ?? slot.value;
  setProperty(slot, missing, isAbsent(property) ? created : applyAction(action, slot.value, settings));
}

/** What exists, and what a literal or a value could create. */
function propertiesOf(rules: readonly MaskRule[], document: Document, record: Place): Property[] {
  const creating = rules.filter(({ action }) => createdBy(action) !== undefined);
  const absent = creating.flatMap(({ paths }) => paths.flatMap((path) => absentAt(path, document, record)));
  return [...existingProperties(record), ...absent.filter(isFirst)];
}

function absentAt(path: Path, document: Document, record: Place): Property[] {
  if (!startsAtPayload(document, path)) return absentProperties(record, path);
  return absentProperties(document.start, path).filter(({ slot }) => isWithin(record, slot));
}

function isFirst(property: Property, at: number, properties: readonly Property[]): boolean {
  return !properties.slice(0, at).some((earlier) => sameProperty(earlier, property));
}

/** The first rule that fits, and the dry runs that stand before it: those of them that do something. */
function hitsOf(rules: readonly MaskRule[], record: Place, property: Property): Edit[] {
  const fitting = rules.filter((rule) => rule.fits(record, property));
  const first = fitting.findIndex(({ dryRun }) => !dryRun);
  const tried = first === -1 ? fitting : fitting.slice(0, first + 1);
  return tried.filter(({ action }) => doesSomething(action, property)).map((rule) => ({ property, rule }));
}

function doesSomething(action: Action, property: Property): boolean {
  return !isAbsent(property) || createdBy(action) !== undefined;
}

/** What is created stands in the order of the rules that create it. */
function inOrderOf(rules: readonly MaskRule[], edits: readonly Edit[]): Edit[] {
  return edits.toSorted((one, other) => rules.indexOf(one.rule) - rules.indexOf(other.rule));
}
