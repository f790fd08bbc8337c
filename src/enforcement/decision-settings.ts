/** What of the configuration and the request decides how a decision is read. */
export interface DecisionSettings {
  /** Entries of other asset types are ignored (specification 2.2). */
  readonly assetType: string;
  /** The attribute whose values are property paths (specification 2.4). */
  readonly attrName: string | undefined;
  /** The attribute whose values are prefixes of property paths (specification 2.4). */
  readonly object: string | undefined;
  /** Whether FILTER removes records (specification 2.2). */
  readonly filter: boolean;
  /** What happens to records where no FILTER rule allows any (enforcement §6). */
  readonly filterDefault: 'allow' | 'deny';
  /** In context mode: the asset type of the records themselves (enforcement §8). */
  readonly protectedObject: string | undefined;
}
