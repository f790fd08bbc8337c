import { Refusal } from './refusal.ts';

/** The request's own parameters (docs/enforcement.md#settings). */
export interface ReferenceParameters {
  readonly root?: string | undefined;
  readonly assetType?: string | undefined;
  readonly calculationType?: string | undefined;
  readonly maskString?: string | undefined;
  readonly filter?: boolean | undefined;
  readonly FILTER?: boolean | undefined;
  readonly assetId?: string | undefined;
  readonly protectedObject?: string | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['root', 'string'],
  ['assetType', 'string'],
  ['calculationType', 'string'],
  ['maskString', 'string'],
  ['filter', 'boolean'],
  ['FILTER', 'boolean'],
  ['assetId', 'string'],
  ['protectedObject', 'string'],
]);

/**
 * Checks the parameters.
 *
 * @throws Refusal 400 if one is unknown or of the wrong type, or one is missing in context mode.
 */
export function checkParameters(parameters: ReferenceParameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && typeof value !== TYPES.get(name))
      throw new Refusal(400, 'A parameter is unknown or of the wrong type');
  }
  const { calculationType = 'resolution', assetId, protectedObject } = parameters;
  if (calculationType !== 'resolution' && calculationType !== 'context')
    throw new Refusal(400, 'The calculation type is unknown');
  if (calculationType === 'context' && (assetId === undefined || protectedObject === undefined))
    throw new Refusal(400, 'Context mode lacks its asset');
}
