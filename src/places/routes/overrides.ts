import { METHODS } from 'node:http';
import _ from 'lodash';
import type { HeaderFields } from '../../enforcement/index.ts';
import { dashed } from '../../dashed.ts';

const METHOD_FIELDS: ReadonlySet<string> = new Set([
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);
const TARGET_FIELDS: ReadonlySet<string> = new Set(['x-original-url', 'x-rewrite-url']);
/** What WSGI and ASGI servers cut off the path. */
const PREFIX_FIELDS: ReadonlySet<string> = new Set(['daphne-root-path', 'script-name', 'x-script-name']);
/** What their names begin with. Most fields are passed over by this alone. */
const FIRST_LETTERS: ReadonlySet<number> = new Set(Array.from('dsx', (letter) => letter.charCodeAt(0)));
/** The parameter of the query that frameworks read. */
const PARAMETER = '_method';
/** What a query that has it has. */
const MAY_HAVE_PARAMETER = /method|%/iu;
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);
const ORIGIN = /^https?:\/\/[^/?#]*(?=\/)/iu;

/** More requests than these can only be an attack: they are refused. */
export const MAX_OVERRIDES = 4;

const NONE: readonly Override[] = [];
/** That of servers that cut off a prefix, each in its way. */
const UNKNOWN_TARGET = '';

/** What a request is to an application that takes the method or the target from somewhere else. */
export interface Override {
  readonly method: string;
  /** In origin form, if it has one. */
  readonly target: string;
}

/**
 * The requests that an application may read into the header fields and the query of one. Of more than
 * {@link MAX_OVERRIDES}, only as many as show that there are more.
 *
 * @param trusted fields that only a gateway in front sets, in lower case
 */
export function overridesOf(
  { method, target }: Override,
  fields: HeaderFields,
  trusted: ReadonlySet<string>,
): readonly Override[] {
  let methods = methodsInQuery(target);
  // Methods have a letter case, but some frameworks compare them without.
  if (method !== method.toUpperCase()) methods = withMethodsOf(method, methods);
  let targets: Set<string> | undefined;
  for (const [name, value] of fields) {
    if (!FIRST_LETTERS.has(name.charCodeAt(0) | 0x20)) continue;
    const lower = name.toLowerCase();
    if (trusted.has(lower)) continue;
    const field = dashed(lower);
    if (METHOD_FIELDS.has(field)) methods = withMethodsOf(value, methods);
    else if (TARGET_FIELDS.has(field)) (targets ??= new Set()).add(value.trim().replace(ORIGIN, ''));
    else if (PREFIX_FIELDS.has(field) && value.trim() !== '') (targets ??= new Set()).add(UNKNOWN_TARGET);
  }
  if (methods === undefined && targets === undefined) return NONE;
  // A client may name thousands of either: to refuse them takes no more pairs than these.
  const named = _.take([method, ...(methods ?? [])], MAX_OVERRIDES + 1);
  const places = _.take([target, ...(targets ?? [])], MAX_OVERRIDES + 1);
  return named.flatMap((one) => places.map((other) => ({ method: one, target: other })));
}

/** Adds a value and each method that it lists: an application may take one of several fields, or of a list. */
function withMethodsOf(value: string, methods = new Set<string>()): Set<string> {
  const whole = value.trim().toUpperCase();
  const listed = whole.split(',').map((method) => method.trim());
  for (const method of [whole, ...listed.filter((one) => KNOWN_METHODS.has(one))]) methods.add(method);
  return methods;
}

function methodsInQuery(target: string): Set<string> | undefined {
  const query = target.indexOf('?');
  if (query < 0 || !MAY_HAVE_PARAMETER.test(target)) return undefined;
  // Some servers separate parameters by a semicolon, too.
  const parameters = new URLSearchParams(target.slice(query + 1).replaceAll(';', '&'));
  const known = new Set<string>();
  for (const [name, value] of parameters) {
    const method = value.trim().toUpperCase();
    if (isParameter(name) && KNOWN_METHODS.has(method)) known.add(method);
  }
  return known.size === 0 ? undefined : known;
}

/** Whether a name is that of the parameter, also to PHP, which drops blanks before names, and has `_` for what variables cannot have. */
function isParameter(name: string): boolean {
  return name.trimStart().replaceAll(/[ .[]/gu, '_').toLowerCase() === PARAMETER;
}
