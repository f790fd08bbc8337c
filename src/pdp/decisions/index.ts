/** Reads the answers of PDPs into rules: decisions of the resolution protocol, rules documents, and what is common to all. */
export { readAction } from './action.ts';
export { type BareDecision, bareDecision, mustBeAllowedBare } from './bare-decision.ts';
export { denied, deniedBecause } from './denial.ts';
export {
  answerObject,
  isObject,
  type JsonObject,
  jsonText,
  mustHaveOnly,
  objectIn,
  objectsIn,
  parseAnswer,
} from './json-answer.ts';
export { refuseDenials, refuseDenialsIn } from './lost-denial.ts';
export { refusePartsIn, refuseRulesIn } from './lost-rules.ts';
export { isRulesText } from './recognized-parts.ts';
export { Misspelt, refuseLost, saysSomething } from './misspelt.ts';
export { notUnderstood, type JsonPointer, type Place } from './not-understood.ts';
export type { Found } from './order.ts';
export { quotesConfidential } from './confidential.ts';
export { discreet } from './quotes.ts';
export { refusalReason } from './reason.ts';
export { readPath } from './path.ts';
export { Combinations } from './resolution/combinations.ts';
export { KnownRules } from './resolution/known-rules.ts';
export { readDecision, readDecisionValue } from './resolution/decision.ts';
export { AROUND_SECTIONS } from './resolution/misspelt.ts';
export { validityIn, validityOf } from './resolution/validity.ts';
export { readingOf, readRules, rulesOf, type RulesReading } from './rules-document/read.ts';
