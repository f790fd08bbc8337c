interface Parts {
  /** In seconds. */
  readonly tokenValidity?: number;
  readonly access?: readonly unknown[];
  readonly allowed?: readonly unknown[];
  readonly denied?: readonly unknown[];
}

/** A decision with these entries, as JSON (docs/pdp-contract.md#the-answer). */
export function decision({ tokenValidity = 0, access = [], allowed = [], denied = [] }: Parts): string {
  return JSON.stringify({ tokenValidity, response: [{ access, privileges: { allowed, denied } }] });
}

/** An entry that masks a property, for the access section, or with a condition for the privileges. */
export function maskRule(path: string, condition?: unknown): object {
  const action = {
    action: 'MASK',
    ...(condition === undefined ? {} : { 'asset-attributes-filter': condition }),
  };
  return { path, resourceType: 'columns', actions: [action] };
}

/** An entry of the access section that gives a property a literal. */
export function literalRule(path: string, literal: string): object {
  return { path, resourceType: 'columns', actions: [{ action: 'SET', value: literal }] };
}
