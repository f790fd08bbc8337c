/** What becomes of the answers of an application on routes that enforce, whatever carries them. */
export { hasLength, planFor, type AnswerHead, type AnswerPlan } from './answer-plan.ts';
export { decoded, type ContentCoding } from './codings.ts';
export { conditionsOf, hiddenFields } from './conditions.ts';
export {
  changesOfAnswer,
  changesOfPassing,
  enforcedFields,
  passingFields,
  type FieldChanges,
} from './fields.ts';
export type { BodyFormat, RecordFormat } from './media.ts';
export { asAnswerProblem, notEnforceable } from './problems.ts';
export { RecordStream, type RecordPiece } from './record-stream.ts';
export { slicesOf } from './slices.ts';
