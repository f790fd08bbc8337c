import type { MaskSettings } from '../core/index.ts';
import type { Parameters } from './parameters.ts';

/** The largest `maxDepth`: what is written for the service, such as a test or an option, may nest as deep. */
export const DEEPEST = 1024;

/** How deep what comes of a payload may nest: rules may create objects below its deepest one, and set values that nest. */
export const DEEPEST_ANSWER = 4 * DEEPEST;

/** The keys of the configuration that concern enforcement (docs/enforcement.md#settings). */
export interface EnforcementSettings {
  readonly rootWord?: string | undefined;
  readonly assetType: string;
  readonly attrName?: string | undefined;
  readonly object?: string | undefined;
  readonly maskString: string;
  readonly maskShort: boolean;
  readonly filter: boolean;
  readonly filterDefault: 'allow' | 'deny';
  /** Levels of objects and arrays. */
  readonly maxDepth: number;
  /** Whether the log says what each policy changed, and for whom. */
  readonly audit: boolean;
}

/** How a decision is read. */
export interface DecisionSettings {
  /** Entries of a decision with another asset type are ignored. */
  readonly assetType: string;
  /** The attribute whose values are property paths. */
  readonly attrName: string | undefined;
  /** The attribute whose values are prefixes of property paths. */
  readonly object: string | undefined;
  /** Whether FILTER removes records. */
  readonly filter: boolean;
  /** What happens to records if no FILTER rule allows any (docs/enforcement.md#filter). */
  readonly filterDefault: 'allow' | 'deny';
  /** In context mode: the asset type of the records (docs/enforcement.md#context). */
  readonly protectedObject: string | undefined;
}

/** The settings of one intent. */
export interface IntentSettings extends DecisionSettings, MaskSettings {}

/** The caller's parameters take precedence over the operator's settings. */
export function settingsFor(parameters: Parameters, settings: EnforcementSettings): IntentSettings {
  return {
    assetType: parameters.assetType ?? settings.assetType,
    attrName: settings.attrName,
    object: settings.object,
    filter: parameters.filter ?? settings.filter,
    filterDefault: settings.filterDefault,
    protectedObject: parameters.calculationType === 'context' ? parameters.protectedObject : undefined,
    maskString: parameters.maskString ?? settings.maskString,
    maskShort: settings.maskShort,
  };
}

/** Whether two have the same values. */
export function areSameSettings(a: IntentSettings, b: IntentSettings): boolean {
  return areReadAlike(a, b) && a.maskString === b.maskString && a.maskShort === b.maskShort;
}

/** Whether decisions are read alike under two settings: these have the same values. */
export function areReadAlike(a: DecisionSettings, b: DecisionSettings): boolean {
  return (
    a.assetType === b.assetType &&
    a.attrName === b.attrName &&
    a.object === b.object &&
    a.filter === b.filter &&
    a.filterDefault === b.filterDefault &&
    a.protectedObject === b.protectedObject
  );
}
