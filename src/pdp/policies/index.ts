/** The vocabulary of policies, which policy files and rules documents share. */
export { keysNamed } from './action-text.ts';
export { actionSchema } from './action-schema.ts';
export { conditionOf } from './condition-schema.ts';
export { callerReferenceIn } from './caller-reference.ts';
export { isConsistent } from './consistency.ts';
export { explain, type PlacedProblem } from './explain.ts';
export { nearestOf } from './nearest-of.ts';
export { claimPath, propertyPath } from './path-text.ts';
export { assetIds, checkConsistency, metadata, policySchema, properties } from './policy-schema.ts';
export {
  type Action,
  type AssetSelector,
  type Audience,
  type ClaimTest,
  type Comparison,
  type Condition,
  type ConditionValue,
  filtersRecords,
  type Mapper,
  type Mappers,
  type Policy,
  type PolicyFile,
  type Scope,
  type ScopeTokens,
  belongsToAccess,
} from './policy.ts';
export { isComparable } from './value-type.ts';
export {
  memberOf,
  membersOf,
  objectWith,
  rightAction,
  rightAllOrList,
  rightAssets,
  rightCondition,
  rightEffect,
  rightFlag,
  rightList,
  rightMetadata,
  rightPath,
  rightPlainText,
  rightText,
  unlessInDoubt,
  Doubt,
} from './well-formed.ts';
export {
  always,
  closed,
  count,
  expecting,
  flag,
  inOneForm,
  listOf,
  mapOf,
  oneOf,
  text,
} from './vocabulary.ts';
