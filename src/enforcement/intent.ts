import {
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  TOP,
  kindOf,
  scan,
  type JsonDocument,
  type JsonPart,
} from '../core/index.ts';
import { ServiceError, type FieldProblem } from '../errors.ts';
import { readParameters, type Parameters } from './parameters.ts';
import type { Decision, HeaderFields } from './question.ts';

/** What a caller wants: who asks, and how the payload is enforced. It does not depend on the payload. */
export interface Intent {
  /** The PDP request parameters: a JSON object. */
  readonly vendor: JsonPart;
  readonly parameters: Parameters;
  /** Header fields that go on to the PDP. */
  readonly headers: HeaderFields;
  /** The claims of a token that the place verified; undefined if it verified none. */
  readonly claims?: JsonDocument | undefined;
  /** The PDP's decision, if `ask` asked for it ahead of the payload. */
  readonly decision?: Decision | Promise<Decision>;
  /** When `ask` asked for it, in milliseconds of the clock that never goes back. */
  readonly askedAt?: number;
  /** The same decision as soon as it is there, for work that need not wait then; undefined before. */
  readonly decided?: () => Decision | undefined;
}

/** The parts of a request that an intent is read from; undefined if the request lacks one. */
export interface IntentParts {
  readonly parameters: JsonPart | undefined;
  readonly vendor: JsonPart | undefined;
}

export type IntentResult =
  { readonly intent: Pick<Intent, 'vendor' | 'parameters'> } | { readonly problems: readonly FieldProblem[] };

/**
 * Reads an intent from parts of a scanned document.
 *
 * @returns the intent, or every problem with it; each pointer begins with `/parameters` or `/vendor`
 */
export function readIntent({ parameters, vendor }: IntentParts): IntentResult {
  const read = readParameters(parameters);
  const problems = [
    ...objectProblems('/parameters', parameters),
    ...objectProblems('/vendor', vendor),
    ...('problems' in read ? read.problems : []),
  ];
  if ('problems' in read || problems.length > 0 || vendor === undefined) return { problems };
  return { intent: { vendor, parameters: read.parameters } };
}

/** Two JSON texts that an intent is read from. */
export interface IntentTexts {
  readonly vendor: string;
  readonly parameters?: string | undefined;
}

/**
 * Reads an intent from JSON texts, for places whose requests do not carry them: configured routes, options of a command,
 * arguments of a function.
 *
 * @param maxDepth how deep each text may nest, in levels of objects and arrays
 * @throws ServiceError `request-invalid` with every problem at once
 */
export function intentFrom({ vendor, parameters = '{}' }: IntentTexts, maxDepth: number) {
  const parts = [
    partFrom(parameters, '/parameters', maxDepth),
    partFrom(vendor, '/vendor', maxDepth),
  ] as const;
  const [parametersPart, vendorPart] = parts;
  const unreadable = parts.flatMap((part) => ('problem' in part ? [part.problem] : []));
  if ('problem' in parametersPart || 'problem' in vendorPart) throw invalidRequest(unreadable);
  const result = readIntent({ parameters: parametersPart, vendor: vendorPart });
  if ('problems' in result) throw invalidRequest(result.problems);
  return result.intent;
}

function partFrom(
  text: string,
  pointer: string,
  maxDepth: number,
): JsonPart | { readonly problem: FieldProblem } {
  try {
    return { doc: scan(Buffer.from(text), maxDepth), node: TOP };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problem: { pointer, detail: 'It has to be JSON.' } };
    if (!(error instanceof JsonDepthError)) throw error;
    return { problem: { pointer, detail: `It may nest ${maxDepth} levels at most.` } };
  }
}

function objectProblems(pointer: string, part: JsonPart | undefined): readonly FieldProblem[] {
  if (part === undefined) return [{ pointer, detail: 'Required.' }];
  return kindOf(part.doc, part.node) === Kind.object ? [] : [{ pointer, detail: 'It has to be an object.' }];
}

/** The error for a request with these problems. */
export function invalidRequest(problems: readonly FieldProblem[]): ServiceError {
  const detail = 'The request has parts that are missing, unknown or of the wrong type.';
  return new ServiceError('request-invalid', detail, { errors: problems });
}
