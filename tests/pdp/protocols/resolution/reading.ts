import { NO_MASK_KEYS } from '../../../../src/core/index.ts';
import { readDecision, readDecisionValue } from '../../../../src/pdp/decisions/resolution/decision.ts';

/** What decisions are read with. */
export const SETTINGS = {
  assetType: 'columns',
  attrName: 'column',
  object: 'table',
  filter: true,
  filterDefault: 'deny',
  protectedObject: undefined,
} as const;

/** Why a decision of one part is refused, or `understood`: as text, and as a value. */
export function problemsOf(section: object, settings: Parameters<typeof readDecision>[1]): readonly string[] {
  return problemsOfDecision({ response: [section] }, settings);
}

/** The same of a whole decision. */
export function problemsOfDecision(
  decision: object,
  settings: Parameters<typeof readDecision>[1],
): readonly string[] {
  return [
    problemOfText(JSON.stringify(decision), settings),
    problemOf(() => readDecisionValue(decision, settings, [], NO_MASK_KEYS)),
  ];
}

/** The same of a text. */
export function problemOfText(text: string, settings: Parameters<typeof readDecision>[1] = SETTINGS): string {
  return problemOf(() => readDecision(Buffer.from(text), settings, NO_MASK_KEYS));
}

/** The rules of a decision: as text, and as a value. */
export function rulesOf(decision: object, settings: Parameters<typeof readDecision>[1]): readonly unknown[] {
  return [
    readDecision(Buffer.from(JSON.stringify(decision)), settings, NO_MASK_KEYS),
    readDecisionValue(decision, settings, [], NO_MASK_KEYS),
  ];
}

function problemOf(read: () => unknown): string {
  try {
    read();
    return 'understood';
  } catch (error) {
    return Error.isError(error) ? error.message : '';
  }
}
