/** The default names of a policy file (docs/policy-file.md#settings). */
export const DEFAULT_NAMES = { attrName: 'column', object: 'table', assetType: 'columns' } as const;
