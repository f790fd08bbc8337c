import type { MaskSettings } from '../core/actions/action.ts';
import type { DecisionSettings } from './decision-settings.ts';
import type { Parameters } from './parameters.ts';

/** What the operator configures of enforcement (specification 2.4). */
export interface EnforcementConfiguration {
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
  /** Whether it is logged what each policy changed, and for whom. */
  readonly audit: boolean;
}

/** What holds for one request. */
export interface Settings extends DecisionSettings, MaskSettings {}

/** The request's own settings go before the configured ones (enforcement §1). */
export function settingsFor(parameters: Parameters, configuration: EnforcementConfiguration): Settings {
  return {
    assetType: parameters.assetType ?? configuration.assetType,
    attrName: configuration.attrName,
    object: configuration.object,
    filter: parameters.filter ?? configuration.filter,
    filterDefault: configuration.filterDefault,
    protectedObject: parameters.calculationType === 'context' ? parameters.protectedObject : undefined,
    maskString: parameters.maskString ?? configuration.maskString,
    maskShort: configuration.maskShort,
  };
}
