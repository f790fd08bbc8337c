import type { Action } from './actions.ts';
import type { Document } from './document.ts';
import type { Json } from './model.ts';
import type { NameAttributes } from './naming.ts';
import type { Path } from './path.ts';
import type { Place } from './place.ts';
import type { Policy } from './policies.ts';
import type { Property } from './property.ts';

/** What the decision is read with. */
export interface RuleSettings extends NameAttributes {
  readonly document: Document;
  readonly assetType: string;
  readonly filtering: boolean;
  /** Context mode only (docs/enforcement.md#context). */
  readonly asset: Asset | undefined;
}

export interface Asset {
  readonly protectedObject: string;
  readonly idPath: Path;
}

interface CommonRule {
  readonly denied: boolean;
  readonly policies: readonly Policy[];
  readonly dryRun: boolean;
}

/** Masks or sets the properties that it fits. */
export interface MaskRule extends CommonRule {
  readonly action: Action;
  readonly priority: bigint | undefined;
  /** Whether the rule is about a property; the record is undefined for an array that has records inside. */
  readonly fits: (property: Property, record: Place | undefined) => boolean;
  /** What the rule could create in a record if its action is a literal. */
  readonly creatable: (record: Place) => readonly Property[];
}

/** Says which records are authorized, or if it is denied, which are not. */
export interface FilterRule extends CommonRule {
  readonly holds: (record: Place) => boolean;
}

export type Rule = MaskRule | FilterRule;

/** Reads the rule that one action of an entry asks for; an entry without actions has the action `undefined`. */
export type RuleReader = (entry: Json, action: Json | undefined, settings: RuleSettings) => Rule;

export function isMaskRule(rule: Rule): rule is MaskRule {
  return 'action' in rule;
}

/** Denied rules first, then by priority; rules without one follow in the order of the decision. */
export function byRank(one: MaskRule, other: MaskRule): number {
  return (
    Number(other.denied) - Number(one.denied) ||
    Number(one.priority === undefined) - Number(other.priority === undefined) ||
    compare(one.priority ?? 0n, other.priority ?? 0n)
  );
}

function compare(one: bigint, other: bigint): number {
  return Number(one > other) - Number(one < other);
}
