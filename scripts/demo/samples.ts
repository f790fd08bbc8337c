/** A payload in examples/payloads, and how it is put to the service. */
export interface Sample {
  /** The file's name, without its ending. */
  readonly payload: string;
  /** Where its records stand; at the top, where nothing is said. */
  readonly recordsIn?: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** What is said to the PDP besides who the user is. */
  readonly vendor?: Readonly<Record<string, unknown>>;
}

export const CUSTOMERS: Sample = { payload: 'customers', parameters: {} };

export const BRANCH_CUSTOMERS: Sample = {
  payload: 'branch-customers',
  recordsIn: 'customers',
  parameters: { root: 'customers' },
  vendor: { environment: { resourceFullPath: ['branch-v2'] } },
};

export const ACCOUNTS: Sample = {
  payload: 'accounts',
  parameters: {
    calculationType: 'context',
    assetType: 'accounts',
    assetId: 'id',
    protectedObject: 'Account',
  },
};
