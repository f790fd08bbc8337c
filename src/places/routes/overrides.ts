import type { HeaderFields } from '../../enforcement/index.ts';

const METHODS: ReadonlySet<string> = new Set([
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);
const TARGETS: ReadonlySet<string> = new Set(['x-original-url', 'x-rewrite-url']);
const ORIGIN = /^https?:\/\/[^/?#]*(?=\/)/iu;

const NONE: readonly Override[] = [];

/** What a request is to an application that takes the method or the target from a header field. */
export interface Override {
  readonly method: string;
  /** In origin form, if it has one. */
  readonly target: string;
}

/**
 * The requests that an application may read into the header fields of one.
 *
 * @param trusted fields that only a gateway in front sets, in lower case
 */
export function overridesOf(
  { method, target }: Override,
  fields: HeaderFields,
  trusted: ReadonlySet<string>,
): readonly Override[] {
  let methods: Set<string> | undefined;
  let targets: Set<string> | undefined;
  for (const [name, value] of fields) {
    // All names begin with an x. Most fields are passed over by this alone.
    if ((name.charCodeAt(0) | 0x20) !== 0x78) continue;
    const lower = name.toLowerCase();
    if (trusted.has(lower)) continue;
    if (METHODS.has(lower)) (methods ??= new Set()).add(value.trim().toUpperCase());
    else if (TARGETS.has(lower)) (targets ??= new Set()).add(value.trim().replace(ORIGIN, ''));
  }
  if (methods === undefined && targets === undefined) return NONE;
  return [method, ...(methods ?? [])].flatMap((one) =>
    [target, ...(targets ?? [])].map((other) => ({ method: one, target: other })),
  );
}
