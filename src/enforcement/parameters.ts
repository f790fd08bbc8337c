import type { FieldProblem } from '../errors.ts';
import {
  isEmpty,
  Kind,
  PathSyntaxError,
  jsonPointer,
  kindOf,
  namesOf,
  parseAttributePath,
  parsePath,
  NumberText,
  stringAt,
  valueAt,
  type AttributePath,
  type JsonPart,
  type Path,
} from '../core/index.ts';
import { nearest } from '../nearest.ts';

/** How a decision is calculated: from policies over the payload, or over named assets. */
export const CALCULATION_TYPES = ['resolution', 'context'] as const;
export type CalculationType = (typeof CALCULATION_TYPES)[number];

/** A longer name is not a misspelt one, in characters. */
const MAX_NAME = 64;
/** The longest mask string of a request, in UTF-16 units: it may replace every value. */
export const MAX_MASK_STRING = 256;

/** The members that a caller may send. */
const NAMES = [
  'root',
  'assetType',
  'calculationType',
  'maskString',
  'filter',
  'FILTER',
  'assetId',
  'protectedObject',
] as const;
type Name = (typeof NAMES)[number];

function isKnown(name: string): boolean {
  return NAMES.some((known) => known === name);
}

/** The parameters of one request; a member is undefined if the caller did not send it. */
export interface Parameters {
  readonly root: Path | undefined;
  readonly assetType: string | undefined;
  readonly calculationType: CalculationType;
  readonly maskString: string | undefined;
  readonly filter: boolean | undefined;
  readonly assetId: AttributePath | undefined;
  readonly protectedObject: string | undefined;
}

export type ParametersResult =
  { readonly parameters: Parameters } | { readonly problems: readonly FieldProblem[] };

/**
 * Reads `parameters`.
 *
 * @param part an object; anything else counts as an empty one
 * @returns the parameters, or every problem with them
 */
export function readParameters(part: JsonPart | undefined): ParametersResult {
  const isObject = part !== undefined && kindOf(part.doc, part.node) === Kind.object;
  if (isObject && isEmpty(part.doc, part.node)) return NONE;
  const members = new MemberReader(isObject ? Object(valueAt(part.doc, part.node)) : {});
  const parameters = parametersIn(members);
  const problems = [
    ...(isObject ? repeatedMembers(part) : []),
    ...unknownMembers(members.value),
    ...members.problems,
    ...missingForContext(members.value),
  ];
  return problems.length === 0 ? { parameters } : { problems };
}

function parametersIn(members: MemberReader): Parameters {
  const root = members.path('root', parsePath);
  const assetType = members.text('assetType', 1);
  const calculationType = members.word('calculationType', CALCULATION_TYPES) ?? 'resolution';
  const maskString = members.text('maskString', 0, MAX_MASK_STRING);
  const filter = members.flag('filter');
  const FILTER = members.flag('FILTER');
  const assetId = members.path('assetId', parseAttributePath);
  const protectedObject = members.text('protectedObject', 1);
  return { root, assetType, calculationType, maskString, filter: filter ?? FILTER, assetId, protectedObject };
}

/** Reads members of an object, each of which may be missing, and notes what is wrong with them. */
class MemberReader {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problems: FieldProblem[] = [];

  constructor(value: Readonly<Record<string, unknown>>) {
    this.value = value;
  }

  /** @param most in UTF-16 units */
  text(name: Name, least: number, most = Infinity): string | undefined {
    const value = this.read(name);
    if (value === undefined || !this.isType(name, value, 'string')) return undefined;
    if (value.length < least) this.refuse(name, `Too small: expected string to have >=${least} characters.`);
    if (value.length > most) this.refuse(name, `Too big: expected string to have <=${most} characters.`);
    return value;
  }

  flag(name: Name): boolean | undefined {
    const value = this.read(name);
    return value !== undefined && this.isType(name, value, 'boolean') ? value : undefined;
  }

  word<const T extends string>(name: Name, words: readonly T[]): T | undefined {
    const value = this.read(name);
    const known = words.find((word) => word === value);
    if (value !== undefined && known === undefined)
      this.refuse(
        name,
        `Invalid option: expected one of ${words.map((word) => JSON.stringify(word)).join('|')}.`,
      );
    return known;
  }

  path<T>(name: Name, parse: (text: string) => T): T | undefined {
    const text = this.text(name, 0);
    try {
      return text === undefined ? undefined : parse(text);
    } catch (error) {
      if (!(error instanceof PathSyntaxError)) throw error;
      this.refuse(name, `It is not a path: ${error.message}.`);
      return undefined;
    }
  }

  private read(name: Name): unknown {
    return Object.hasOwn(this.value, name) ? this.value[name] : undefined;
  }

  private isType<K extends keyof Types>(name: Name, value: unknown, type: K): value is Types[K] {
    if (typeof value === type) return true;
    this.refuse(name, `Invalid input: expected ${type}, received ${typeOf(value)}.`);
    return false;
  }

  private refuse(name: Name, detail: string): void {
    this.problems.push({ pointer: pointerTo(name), detail });
  }
}

interface Types {
  readonly string: string;
  readonly boolean: boolean;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof NumberText ? 'number' : typeof value;
}

/** Many requests have no parameters. */
const NONE: ParametersResult = { parameters: parametersIn(new MemberReader({})) };

/** A parameter that occurs twice is refused: nothing decides which of them counts. */
function repeatedMembers({ doc, node }: JsonPart): FieldProblem[] {
  const names = Array.from(namesOf(doc, node), (name) => stringAt(doc, name));
  const known = new Set<string>();
  const repeated = new Set(names.filter((name) => known.has(name) || !known.add(name)));
  return Array.from(repeated, (name) => ({ pointer: pointerTo(name), detail: 'It may occur only once.' }));
}

/** A misspelt name must not mean that the parameter is left out. */
function unknownMembers(value: object): FieldProblem[] {
  return Object.keys(value)
    .filter((name) => !isKnown(name))
    .map((name) => ({ pointer: pointerTo(name), detail: unknownDetail(name, NAMES) }));
}

/** What is wrong with a member whose name is not known, for {@link FieldProblem}. */
export function unknownDetail(name: string, known: readonly string[]): string {
  const meant = name.length > MAX_NAME ? undefined : nearest(name, known);
  return meant === undefined ? 'Unknown.' : `Unknown. Did you mean ${meant}?`;
}

function pointerTo(...steps: readonly PropertyKey[]): string {
  return jsonPointer(['parameters', ...steps]);
}

function missingForContext(value: object): FieldProblem[] {
  if (!('calculationType' in value) || value.calculationType !== 'context') return [];
  return ['assetId', 'protectedObject']
    .filter((name) => !(name in value))
    .map((name) => ({
      pointer: pointerTo(name),
      detail: 'Required if calculationType is context.',
    }));
}
