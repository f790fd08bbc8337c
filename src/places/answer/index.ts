/** What becomes of the answers of upstream on routes that enforce, whatever carries them. */
export { decodeBody } from './decode.ts';
export { changesOfAnswer, fieldsRemovedFromRequest, type FieldChanges } from './fields.ts';
export {
  notEnforceable,
  readAnswerHead,
  upgradeRefused,
  valuesOf,
  type AnswerHead,
  type AnswerReading,
} from './head.ts';
export { upstreamProblem } from './upstream-problem.ts';
