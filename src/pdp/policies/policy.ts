import type { ClaimPath, ValueType } from '../../core/index.ts';
import type { TokenTrust } from '../../identity/index.ts';
import type { Operator } from './operators.ts';

/** The default names of a policy file (docs/policy-file.md#settings). */
export const DEFAULT_NAMES = { attrName: 'column', object: 'table', assetType: 'columns' } as const;

/** What a policy file says, checked and ready to be asked (`docs/policy-file.md`). */
export interface PolicyFile {
  /** Name of the attribute that names properties in the decision, such as `column`. */
  readonly attrName: string;
  /** Name of the attribute that names their prefix, such as `table`. */
  readonly object: string;
  /** Asset type of the policies and mappers that name none. */
  readonly assetType: string;
  /** In seconds. */
  readonly tokenValidity: number;
  readonly trustUnverifiedClaims: boolean;
  /** Whether a value that a partial mask would show in full gets the default mask (masks.md). */
  readonly maskShort: boolean;
  /** Who may ask; undefined: anyone. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly mappers: Mappers;
  readonly policies: readonly Policy[];
}

/** A client that may ask (docs/policy-file.md#scopes). It has a secret, or tokens, or both. */
export interface Scope {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Entity type of the users of this scope, if a question names none. */
  readonly entityTypeId?: string | undefined;
  readonly jwt?: ScopeTokens | undefined;
}

/** Which tokens a scope believes, and what they say about the user. */
export interface ScopeTokens extends TokenTrust {
  readonly entityId: ClaimPath;
  readonly entityTypeId?: ClaimPath | undefined;
  /** The token is that of a service, which may ask for any user. */
  readonly actsForOthers: boolean;
}

/** Logical name to physical path (docs/policy-file.md#data-mappers). */
export type Mapper = ReadonlyMap<string, string>;
/** Asset type to mapper name to mapper. */
export type Mappers = ReadonlyMap<string, ReadonlyMap<string, Mapper>>;

export interface Policy {
  readonly name: string;
  /** Client ids of the scopes in which it holds; undefined: in all. */
  readonly scopes?: readonly string[] | undefined;
  /** It is for a caller whom any of these fits; undefined: for everyone. */
  readonly for?: readonly Audience[] | undefined;
  /** It is not for a caller whom any of these fits. */
  readonly except?: readonly Audience[] | undefined;
  readonly assetType: string;
  readonly effect: 'allowed' | 'denied';
  /** Prefix of all the properties. */
  readonly object?: string | undefined;
  /** Undefined if the policy filters records. */
  readonly properties?: readonly string[] | 'all' | undefined;
  readonly action: Action;
  readonly priority?: number | undefined;
  readonly when?: Condition | undefined;
  /** Assets it holds for: it then answers questions in context only. */
  readonly assets?: AssetSelector | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface AssetSelector {
  readonly type: string;
  readonly ids: readonly string[] | 'all';
}

/** A description of callers: all that it names must fit, each by any of what is listed. */
export interface Audience {
  readonly entityIds?: readonly string[] | undefined;
  readonly entityTypes?: readonly string[] | undefined;
  readonly claims?: readonly ClaimTest[] | undefined;
}

export interface ClaimTest {
  readonly claim: ClaimPath;
  readonly values: readonly string[];
}

/** An action as a decision spells it, without its priority. */
export interface Action {
  readonly name: string;
  readonly value?: string | undefined;
}

export type Condition =
  { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] } | Comparison;

/** One comparison with an attribute of the record. */
export interface Comparison {
  readonly attribute: string;
  readonly operator: Operator;
  readonly type: ValueType;
  readonly values: readonly ConditionValue[];
  readonly match?: 'ANY' | 'ALL' | undefined;
}

/** A text, or a reference to the caller's id or to a claim. */
export type ConditionValue = string | { readonly caller: 'entityId' } | { readonly claim: ClaimPath };

/** Whether the access section can express a policy: it is not conditional. */
export function belongsToAccess({ effect, action, properties, when }: Policy): boolean {
  return effect === 'allowed' && !filtersRecords(action) && properties !== 'all' && when === undefined;
}

/** Whether a policy decides which records stay. */
export function filtersRecords(action: Action): boolean {
  return isAction(action, 'FILTER');
}

/** Whether an action asks for one of ours. */
export function isAction({ name, value = '' }: Action, action: 'MASK' | 'FILTER'): boolean {
  const named = { name, value };
  return named[memberAsked(named)].trim().toLowerCase() === action.toLowerCase();
}

/** The member of an action that says what it asks for: beside an empty value, it is the name (`docs/enforcement.md#actions`). */
export function memberAsked({ value }: { readonly value: string }): 'name' | 'value' {
  return value.trim() === '' ? 'name' : 'value';
}

/** The asset types that policies are for, and those of assets that they select. */
export function assetTypesOf(policies: readonly Policy[]): ReadonlySet<string> {
  return new Set(
    policies.flatMap(({ assetType, assets }) =>
      assets === undefined ? [assetType] : [assetType, assets.type],
    ),
  );
}

/** The comparisons of a condition, in its order. */
export function comparisonsIn(condition: Condition): readonly Comparison[] {
  if ('all' in condition) return condition.all.flatMap(comparisonsIn);
  if ('any' in condition) return condition.any.flatMap(comparisonsIn);
  return [condition];
}
