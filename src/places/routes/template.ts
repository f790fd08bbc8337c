import _ from 'lodash';
import {
  Kind,
  kindOf,
  type JsonDocument,
  type Node,
  rawAt,
  scalarTextAt,
  selectClaims,
} from '../../core/index.ts';
import { ServiceError, invalidToken } from '../../errors.ts';
import type { HeaderFields } from '../../enforcement/index.ts';
import { parseTemplate, type Part, type Variable } from './variables.ts';

/** What the variables of a route are filled from. */
export interface RequestFacts {
  readonly method: string;
  /** Normalized, without the query. */
  readonly path: string;
  /** Trusted ones only: untrusted identity headers are dropped before. */
  readonly headers: HeaderFields;
  /** The claims of the verified token; undefined if the route needs none. */
  readonly claims: JsonDocument | undefined;
}

type Piece = string | readonly Part[];

/** JSON text with variables in it: each is inserted as a JSON value, so that none can change the syntax around it. */
export class JsonTemplate {
  readonly #pieces: readonly Piece[];
  readonly variables: readonly Variable[];

  /** @param value plain data whose texts have no `templateProblem` */
  constructor(value: unknown) {
    this.#pieces = piecesOf(value);
    this.variables = this.#pieces.flatMap((piece) =>
      typeof piece === 'string' ? [] : piece.filter((part) => typeof part !== 'string'),
    );
  }

  /** @throws ServiceError `token-refused` if a claim is missing, `variable-missing` if anything else is */
  render(facts: RequestFacts): string {
    return this.#pieces.map((piece) => (typeof piece === 'string' ? piece : jsonOf(piece, facts))).join('');
  }
}

function piecesOf(value: unknown): readonly Piece[] {
  if (typeof value === 'string') {
    const parts = parseTemplate(value) ?? [];
    return [parts.every((part) => typeof part === 'string') ? JSON.stringify(value) : parts];
  }
  if (Array.isArray(value)) return enclosed('[', value.map(piecesOf), ']');
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value ?? null)];
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return enclosed('{', members.map(piecesOfMember), '}');
}

function piecesOfMember([name, value]: readonly [string, unknown]): readonly Piece[] {
  return [`${JSON.stringify(name)}:`, ...piecesOf(value)];
}

function enclosed(open: string, items: readonly (readonly Piece[])[], close: string): readonly Piece[] {
  return [open, ...items.flatMap((item, index) => (index === 0 ? item : [',', ...item])), close];
}

/** A variable alone keeps its type; next to other text, it becomes a part of that text. */
function jsonOf(parts: readonly Part[], facts: RequestFacts): string {
  const [only, ...others] = parts;
  if (only !== undefined && typeof only !== 'string' && others.length === 0) return valueOf(only, facts);
  return JSON.stringify(
    parts.map((part) => (typeof part === 'string' ? part : textOf(part, facts))).join(''),
  );
}

function valueOf(variable: Variable, facts: RequestFacts): string {
  return variable.kind === 'claim' ? claimJson(variable, facts) : JSON.stringify(textOf(variable, facts));
}

function textOf(variable: Variable, facts: RequestFacts): string {
  switch (variable.kind) {
    case 'method':
      return facts.method;
    case 'path':
      return facts.path;
    case 'header':
      return headerText(variable, facts.headers);
    case 'claim':
      return claimText(variable, facts.claims);
  }
}

export type ClaimVariable = Extract<Variable, { readonly kind: 'claim' }>;
type HeaderVariable = Extract<Variable, { readonly kind: 'header' }>;

/** A claim as the token has it, so that numbers keep every digit. */
function claimJson(variable: ClaimVariable, { claims }: RequestFacts): string {
  const nodes = claimNodes(variable, claims);
  const [node] = nodes;
  if (claims === undefined || node === undefined) throw claimRefused(variable, 'missing');
  if (variable.isList) return `[${nodes.map((one) => rawAt(claims, one)).join(',')}]`;
  return rawAt(claims, node);
}

function claimText(variable: ClaimVariable, claims: JsonDocument | undefined): string {
  const [node, ...others] = claimNodes(variable, claims);
  const text = claims && node !== undefined ? scalarTextAt(claims, node) : undefined;
  if (node === undefined || others.length > 0) throw claimRefused(variable, 'missing');
  if (text === undefined) throw claimRefused(variable, 'not text');
  return text;
}

/** What a claim says. Null and empty text say nothing; without `[*]`, several values have no clear meaning. */
export function claimNodes(
  { path, isList }: ClaimVariable,
  claims: JsonDocument | undefined,
): readonly Node[] {
  if (claims === undefined) return [];
  const nodes = selectClaims(claims, path);
  if (!isList && nodes.length > 1) return [];
  return nodes.filter((node) => kindOf(claims, node) !== Kind.null && scalarTextAt(claims, node) !== '');
}

const REFUSALS = { missing: 'does not have', 'not text': 'does not have text in' } as const;

/** The error for a token that lacks what a route needs. */
export function claimRefused({ text }: ClaimVariable, why: keyof typeof REFUSALS): ServiceError {
  return invalidToken(`The token ${REFUSALS[why]} ${text}.`, `A claim is ${why}`);
}

/** Those around the value of a field (RFC 9110 §5.5). All that `trim()` drops would include the last byte of `à`. */
const BLANKS = ' \t';

function headerText({ name, text }: HeaderVariable, headers: HeaderFields): string {
  const [field, ...others] = headers.filter(([one]) => one.toLowerCase() === name);
  const value = field === undefined ? '' : utf8(_.trim(field[1], BLANKS));
  if (value === '' || others.length > 0)
    throw new ServiceError('variable-missing', `The request does not have ${text} exactly once, in UTF-8.`);
  return value;
}

/** Node reads header fields as Latin-1; gateways write UTF-8. */
function utf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : '';
}
