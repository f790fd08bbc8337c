/** The core: rules and a payload become edits. It imports no other folder of ours. */
export type { Action, ActionProblem, MaskSettings } from './actions/action.ts';
export { MASK } from './actions/default-mask.ts';
export { literal } from './actions/literal.ts';
export { NO_MASK_KEYS, type MaskKey, type MaskKeys } from './actions/mask-keys.ts';
export type { Effect } from './actions/mask-result.ts';
export { ACTIONS, parseAction, type AskedAction } from './actions/registry.ts';
export { Comparison, type Operator } from './conditions/comparison.ts';
export { ValueError, type Relation } from './conditions/relation.ts';
export {
  ALWAYS,
  NEVER,
  allOf,
  type ComparedPart,
  type Condition,
  type Leaf,
} from './conditions/condition.ts';
export { compareDecimals, decimalKeyOf, parseDecimal } from './conditions/decimal.ts';
export { parseInstant } from './conditions/instant.ts';
export { VALUE_TYPES, type ValueType } from './conditions/value-type.ts';
export { areSameBytes, bufferOf, hashOfBytes, isBlank, joined } from './json/bytes.ts';
export { Collected } from './json/collected.ts';
export {
  Kind,
  TOP,
  after,
  elementsOf,
  endOf,
  enterArrays,
  firstIn,
  isContainer,
  isEmpty,
  isString,
  keyIdOf,
  kindOf,
  nameAfter,
  namesOf,
  startOf,
  valueOf,
  type JsonDocument,
  type JsonPart,
  type Node,
} from './json/document.ts';
export { MAX_NAMES, NO_KEY_ID, type KeyId } from './json/key-interner.ts';
export { KnownText, ShortenedText, type TextPart, type TextRun } from './json/known-text.ts';
export { viewOf } from './json/piece.ts';
export { jsonPointer } from './json/pointer.ts';
export { ScalarTexts, type TextFrame } from './scalar-texts.ts';
export { free, release } from './json/release.ts';
export { scan } from './json/scan.ts';
export { TooLongError, type SplicerRoom } from './json/splicer.ts';
export { TooMuchReadError } from './plan/reading-limit.ts';
export { TooManyStatesError } from './plan/state-limit.ts';
export { StringReader } from './json/string-reader.ts';
export { JsonDepthError, JsonSyntaxError } from './json/syntax-error.ts';
export { TextRuns } from './json/text-runs.ts';
export { rawAt, scalarTextAt, stringAt } from './json/text.ts';
export { hasUniqueNames } from './json/unique-names.ts';
export {
  DuplicateNameError,
  NumberText,
  strictReader,
  strictValueAt,
  shallowValueAt,
  valueAt,
  type JsonValue,
} from './json/value.ts';
export {
  CLAIM_PATH_PATTERN,
  SUBJECT,
  claimValues,
  expirationOf,
  identifierAt,
  parseClaimPath,
  readTokenClaims,
  readTokenHeader,
  readTokenObject,
  selectClaims,
  type ClaimPath,
  type Statement,
} from './jwt/index.ts';
export type { ExplanationLimits } from './explain/budget.ts';
export type { ExplainedCondition } from './explain/condition.ts';
export { Explainer, type Explanation } from './explain/explanation.ts';
export { Masking } from './mask.ts';
export { NameIndex } from './paths/name-index.ts';
export {
  NOWHERE,
  UNREADABLE,
  type Attribute,
  type AttributeValue,
  type FoundValue,
} from './paths/attribute.ts';
export { Automaton } from './paths/automaton.ts';
export { ElementStates } from './paths/element-states.ts';
export { NameToken } from './paths/name-token.ts';
export { parseAttributePath, parsePath, type AttributePath } from './paths/parse.ts';
export type { Path } from './paths/path.ts';
export { PATH_PATTERN, SPACES } from './paths/pattern.ts';
export type { State } from './paths/state.ts';
export { PathSyntaxError } from './paths/syntax-error.ts';
export { TooManyNamesError } from './plan/combined-names.ts';
export type { Frame } from './plan/frame.ts';
export { Plan, type SharedPath, type SharedPaths } from './plan/plan.ts';
export { RecordAttribute } from './plan/record-attribute.ts';
export { RecordViews, Subject, type RecordView } from './plan/record.ts';
export { RecentHashes } from './recent-hashes.ts';
export { endOfRecords } from './records.ts';
export { NO_STEP, RootList, type RootStep } from './roots.ts';
export { SEED } from './seed.ts';
export { dryRunPolicies } from './rule.ts';
export type { DryRun, FilterRule, Policy, PropertyRule, RuleSource, Rules } from './rule.ts';
export type { Observer, Witness } from './walk/observer.ts';
