/** The vocabulary of policies, which policy files and rules documents share. */
export { actionSchema, problemWithAction, problemWithLiteral } from './action-schema.ts';
export { conditionOf, MAX_LEVELS, typeProblems } from './condition-schema.ts';
export { checkConsistency, isConsistent } from './consistency.ts';
export { explain, type PlacedProblem } from './explain.ts';
export { parseOperator } from './operators.ts';
export { doubtfulTexts } from './doubtful-texts.ts';
export { ordersNumbersAsText } from './order-of-texts.ts';
export { OWN_DIALECT } from './path-dialects.ts';
export { overruledPolicies } from './overruled.ts';
export {
  claimPath,
  identifierPath,
  problemWithIdentifier,
  problemWithListedPath,
  problemWithPath,
  propertyPath,
} from './path-text.ts';
export { assetIds, isMisspeltDryRun, metadata, policySchema, properties } from './policy-schema.ts';
export {
  type Action,
  type AssetSelector,
  type Audience,
  type ClaimTest,
  type Comparison,
  type Condition,
  type ConditionValue,
  assetTypesOf,
  DEFAULT_NAMES,
  filtersRecords,
  memberAsked,
  type Mapper,
  type Mappers,
  type Policy,
  type PolicyFile,
  type Scope,
  type ScopeTokens,
  belongsToAccess,
  comparisonsIn,
} from './policy.ts';
export { isComparable } from './value-type.ts';
export { wholeNames } from './whole-names.ts';
export {
  always,
  closed,
  count,
  countUpTo,
  expecting,
  flag,
  flagText,
  inOneForm,
  listOf,
  mapOf,
  oneOf,
  text,
} from './vocabulary.ts';
