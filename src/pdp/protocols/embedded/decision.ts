/** The answer of a PDP (docs/pdp-contract.md#the-answer). */
export interface Decision {
  /** How long the decision may be used again, in seconds. */
  readonly tokenValidity: number;
  /** How partial masks treat values that they would show in full: an addition of this PDP (masks.md). */
  readonly maskShort: boolean;
  readonly response: readonly [DecisionResponse];
}

interface DecisionResponse {
  readonly access: readonly AccessEntry[];
  readonly privileges: {
    readonly allowed: readonly PrivilegeEntry[];
    readonly denied: readonly PrivilegeEntry[];
  };
}

export interface AccessEntry {
  /** Of one asset; of all assets that a policy is about. */
  readonly path: string | readonly string[];
  readonly resourceType: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly actions: readonly ActionEntry[];
  readonly policies?: readonly PolicyEntry[];
}

export interface PrivilegeEntry {
  readonly resourceType: string;
  readonly actions: readonly ConditionalActionEntry[];
}

export interface ActionEntry {
  readonly action: string;
  readonly value?: string;
}

interface ConditionalActionEntry extends ActionEntry {
  readonly 'asset-attributes-filter'?: FilterEntry;
  readonly policies?: readonly PolicyEntry[];
}

export type FilterEntry =
  { readonly AND: readonly FilterEntry[] } | { readonly OR: readonly FilterEntry[] } | ComparisonEntry;

export interface ComparisonEntry {
  readonly attribute: string;
  readonly type: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly match?: 'ANY' | 'ALL';
}

export interface PolicyEntry {
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}
