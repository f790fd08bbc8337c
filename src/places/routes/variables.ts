import { parseClaimPath, type ClaimPath } from '../../core/index.ts';
import { nearest } from '../../nearest.ts';

/** Something about a request that a route's `vendor` names. */
export type Variable =
  /** `${claims.sub}`: a claim of the verified token. */
  | { readonly kind: 'claim'; readonly text: string; readonly path: ClaimPath; readonly isList: boolean }
  /** `${headers.x-user}`: a header field, its name in lower case. */
  | { readonly kind: 'header'; readonly text: string; readonly name: string }
  /** `${method}` and `${path}`. */
  | { readonly kind: 'method' | 'path'; readonly text: string };

/** Text between variables, and variables. */
export type Part = string | Variable;

const WRITTEN = /\$\{([^}]*)\}/gu;
export const HEADER = /^headers\.([\w!#$%&'*+.^`|~-]+)$/u;
const FOREIGN = /[${(%<=]\s*\.?(claims|headers)[.[]/u;
const KINDS = ['claims', 'headers', 'method', 'path'];

/**
 * Splits a text at its variables.
 *
 * @returns undefined if one of them is unknown or cannot be parsed
 */
export function parseTemplate(text: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: written, 1: name = '', index } of text.matchAll(WRITTEN)) {
    const variable = variableNamed(name, written);
    if (variable === undefined) return undefined;
    if (index > end) parts.push(text.slice(end, index));
    parts.push(variable);
    end = index + written.length;
  }
  const rest = text.slice(end);
  if (rest.includes('${')) return undefined;
  return rest === '' && parts.length > 0 ? parts : [...parts, rest];
}

/**
 * What is wrong with the variables of a text.
 *
 * @returns undefined if nothing is; else the rest of a sentence that begins with the key
 */
export function templateProblem(text: string): string | undefined {
  if (parseTemplate(text) !== undefined) return foreignProblem(text.replaceAll(WRITTEN, ''));
  const names = Array.from(text.matchAll(WRITTEN), ([, name = '']) => name);
  const wrong = names.find((name) => variableNamed(name, '') === undefined);
  if (wrong === undefined) return 'has ${ without a closing }';
  return `has \${${wrong}}, which is not a variable; ${suggestion(wrong)}`;
}

/** Variables as other template languages write them: as text, all callers would be the one user of that name. */
function foreignProblem(text: string): string | undefined {
  const [, kind] = FOREIGN.exec(text) ?? [];
  return kind && `has a variable that is not written as \${…}; write \${${kind}.x}`;
}

function suggestion(name: string): string {
  const bare = name.trim();
  if (variableNamed(bare, '') !== undefined) return `without blanks, it is \${${bare}}`;
  const [kind = '', ...rest] = name.split(/[.[]/u);
  if (kind === 'claims') return 'a claim is a JSONPath of names and indexes, such as ${claims.roles[0]}';
  if (kind === 'headers') return 'a header is one name, such as ${headers.x-user}';
  if (kind === 'method' || kind === 'path') return `it is one word: \${${kind}}`;
  const meant = nearest(kind, KINDS);
  if (meant !== undefined) return `the nearest one is \${${[meant, ...rest].join('.')}}`;
  return 'the known ones are ${claims.x}, ${headers.x}, ${method} and ${path}';
}

function variableNamed(name: string, text: string): Variable | undefined {
  if (name === 'method' || name === 'path') return { kind: name, text };
  const header = HEADER.exec(name)?.[1];
  if (header !== undefined) return { kind: 'header', text, name: header.toLowerCase() };
  const below = /^claims(?:\.\$)?(?=[.[])/u.exec(name)?.[0];
  const path = below === undefined ? undefined : parseClaimPath(`$${name.slice(below.length)}`);
  return path && { kind: 'claim', text, path, isList: path.includes('each') };
}
