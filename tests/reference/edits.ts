import { applyAction, createdBy, type Action, type MaskSettings } from './actions.ts';
import { isFirst } from './create.ts';
import type { Document } from './document.ts';
import { childrenOf, isWithin, type Place } from './place.ts';
import type { Policy } from './policies.ts';
import { existing, isAbsent, isInside, propertiesOf, setProperty, type Property } from './property.ts';
import type { MaskRule } from './rule.ts';

export interface Edit {
  readonly property: Property;
  readonly rule: MaskRule;
}

/** What happens to the payload. Nothing is changed before all edits are known. */
export interface Edits {
  /** In the order of the rules, so that what is created has this order. */
  readonly applied: readonly Edit[];
  /** The policies in dry run that would have changed something in a record, or the record as a whole. */
  readonly skippedIn: (record: Place) => readonly Policy[];
}

/** Decides one action for each property (docs/enforcement.md#one-action-a-property), from rules in the order of their rank. */
export function editsOf(rules: readonly MaskRule[], document: Document): Edits {
  const hits = [
    ...arraysWithRecords(document).flatMap((array) => hitsOf(rules, existing(array), undefined)),
    ...document.records.flatMap((record) =>
      propertiesIn(rules, record).flatMap((property) => hitsOf(rules, property, record)),
    ),
  ];
  const effective = hits.filter(({ rule }) => !rule.dryRun);
  const isHidden = ({ property }: Edit): boolean =>
    effective.some((outer) => isInside(property, outer.property));
  const visible = hits.filter((hit) => !isHidden(hit));
  const skipped = visible.filter(({ rule }) => rule.dryRun);
  return {
    applied: rules.flatMap((rule) => visible.filter((edit) => edit.rule === rule && !rule.dryRun)),
    skippedIn: (record) =>
      skipped.filter(({ property }) => touches(property, record)).flatMap(({ rule }) => rule.policies),
  };
}

/** Whether an edit takes a property away: that is done when all others are. */
export function isRemoval({ rule: { action } }: Edit): boolean {
  return action.kind === 'remove';
}

export function applyEdit({ property, rule: { action } }: Edit, settings: MaskSettings): void {
  const { slot } = property.base;
  const created = createdBy(action) ?? slot.value;
  setProperty(
    slot,
    property.missing,
    isAbsent(property) ? created : applyAction(action, slot.value, settings),
  );
}

/** The roots that are arrays, and the arrays in them that have records inside or are empty. */
function arraysWithRecords({ roots }: Document): Place[] {
  return roots.flatMap(arraysIn);
}

function arraysIn(place: Place): Place[] {
  return place.slot.value.kind === 'array' ? [place, ...childrenOf(place).flatMap(arraysIn)] : [];
}

/** What exists, and what a literal or a value that takes effect, or one in dry run, could create. */
function propertiesIn(rules: readonly MaskRule[], record: Place): Property[] {
  const creating = rules.filter(({ action }) => createdBy(action) !== undefined);
  const created = creating.flatMap((rule) => rule.creatable(record)).filter(isFirst);
  return [...propertiesOf(record), ...created];
}

/** The first rule that fits and takes effect, and the dry runs that come before it, if they do something. */
function hitsOf(rules: readonly MaskRule[], property: Property, record: Place | undefined): Edit[] {
  const fitting = rules.filter((rule) => rule.fits(property, record));
  const first = fitting.findIndex(({ dryRun }) => !dryRun);
  const tried = first === -1 ? fitting : fitting.slice(0, first + 1);
  return tried.filter(({ action }) => doesSomething(action, property)).map((rule) => ({ property, rule }));
}

function doesSomething(action: Action, property: Property): boolean {
  return !isAbsent(property) || createdBy(action) !== undefined;
}

/** Whether a property is in a record, or has the record inside. */
function touches({ base }: Property, record: Place): boolean {
  return isWithin(record, base) || isWithin(base, record);
}
