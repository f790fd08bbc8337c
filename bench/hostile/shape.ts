/** One request and the decision about it, made to cost as much as it can. */
export interface HostileRequest {
  /** The payload, JSON. */
  readonly payload: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The PDP's answer. */
  readonly decision: unknown;
  /** Requests that come before, with the same decision, and are not measured. */
  readonly before?: string;
}

/** A kind of request whose cost is to grow no faster than its size. */
export interface Shape {
  readonly name: string;
  /** @param bytes about how long the payload, or what else of the request is large, is to be */
  request(bytes: number): HostileRequest;
}

/** As many items as fit into so many bytes, separated by commas. */
export function filled(bytes: number, item: (index: number) => string): string {
  const items: string[] = [];
  for (let length = 0, index = 0; length < bytes; index++) {
    const next = item(index);
    items.push(next);
    length += next.length + 1;
  }
  return items.join(',');
}

export function list(bytes: number, item: (index: number) => string): string {
  return `[${filled(bytes, item)}]`;
}

export function object(bytes: number, member: (index: number) => string): string {
  return `{${filled(bytes, member)}}`;
}

export interface Leaf {
  readonly attribute: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly type?: string;
  readonly match?: string;
}

/** A condition. */
export type Tree = Leaf | { readonly AND: readonly Tree[] } | { readonly OR: readonly Tree[] };

/** A leaf of a condition. */
export function leaf(
  attribute: string,
  operator: string,
  values: readonly string[],
  type = 'STRING',
  match = 'ANY',
): Leaf {
  return { attribute, operator, values, type, match };
}

/** An entry of the access section. */
export function access(
  column: string | readonly string[],
  action = 'MASK',
  table?: string | readonly string[],
): object {
  return {
    resourceType: 'columns',
    attributes: { column, ...(table === undefined ? {} : { table }) },
    actions: [{ action }],
  };
}

/** An entry of the privileges section. */
export function privilege(action: string, tree: Tree): object {
  return { resourceType: 'columns', actions: [{ action, 'asset-attributes-filter': tree }] };
}

export function decision(
  entries: readonly object[],
  allowed: readonly object[] = [],
  denied: readonly object[] = [],
): object {
  return { response: [{ access: entries, privileges: { allowed, denied } }] };
}
