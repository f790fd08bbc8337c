import { ServiceError, type FieldProblem } from '../errors.ts';
import { Kind, kindOf, namesOf, TOP, valueOf, type Located, type Node } from '../core/json/located.ts';
import { scan } from '../core/json/scan.ts';
import { JsonDepthError, JsonSyntaxError } from '../core/json/syntax-error.ts';
import { stringAt } from '../core/json/text.ts';
import { valueAt } from '../core/json/value.ts';
import { escaped, readParameters, type Parameters } from './parameters.ts';

/** An enforce request, read as far as the service has to (specification 2.1). */
export interface EnforceRequest {
  /** The whole body. */
  readonly doc: Located;
  readonly parameters: Parameters;
  /** The PDP request parameters: an object. */
  readonly vendor: Node;
  /** The payload: an object or an array. */
  readonly payload: Node;
}

const PARTS = ['parameters', 'vendor', 'json'] as const;
type Part = (typeof PARTS)[number];
/** More problems than these help nobody, and the answer must stay small. */
const MAX_PROBLEMS = 100;

/**
 * Reads the body of an enforce request.
 *
 * @param maxDepth how deep each of its parts may nest, in levels of objects and arrays
 * @throws ServiceError `body-not-json`, `nesting-too-deep`, or `request-invalid` with every problem at once
 */
export function readRequest(body: Buffer, maxDepth: number): EnforceRequest {
  const doc = locate(body, maxDepth);
  if (kindOf(doc, TOP) !== Kind.object)
    throw invalid([{ pointer: '', detail: 'The body has to be an object.' }]);
  const parts = findParts(doc);
  const [parameters] = parts.parameters;
  const problems = [
    ...PARTS.flatMap((part) => problemsWith(part, parts[part], doc)),
    ...duplicatesIn(doc, parameters),
  ];
  const value = parameters === undefined ? {} : valueAt(doc, parameters);
  const result = readParameters(isPlainObject(value) ? value : {});
  const [vendor] = parts.vendor;
  const [payload] = parts.json;
  if ('problems' in result || problems.length > 0 || vendor === undefined || payload === undefined) {
    throw invalid([...problems, ...('problems' in result ? result.problems : [])]);
  }
  return { doc, parameters: result.parameters, vendor, payload };
}

function locate(body: Buffer, maxDepth: number): Located {
  try {
    return scan(body, maxDepth + 1);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw new ServiceError('body-not-json', `The body is not valid JSON: ${error.message}.`);
    }
    if (error instanceof JsonDepthError) {
      throw new ServiceError(
        'nesting-too-deep',
        `The body nests more than ${maxDepth} levels below one of its parts.`,
      );
    }
    throw error;
  }
}

/** Every place of each part: a part that stands twice is a problem of its own. */
function findParts(doc: Located): Record<Part, Node[]> {
  const parts: Record<Part, Node[]> = { parameters: [], vendor: [], json: [] };
  for (const name of namesOf(doc, TOP)) {
    const part = PARTS.find((one) => one === stringAt(doc, name));
    if (part) parts[part].push(valueOf(name));
  }
  return parts;
}

function problemsWith(part: Part, nodes: readonly Node[], doc: Located): FieldProblem[] {
  const [node, ...others] = nodes;
  const problem = (detail: string) => [{ pointer: `/${part}`, detail }];
  if (node === undefined) return problem('Required.');
  if (others.length > 0) return problem('It may occur only once.');
  const kind = kindOf(doc, node);
  if (kind === Kind.object || (kind === Kind.array && part === 'json')) return [];
  return problem(part === 'json' ? 'It has to be an object or an array.' : 'It has to be an object.');
}

/** A parameter that occurs twice is refused: nothing decides which of them counts. */
function duplicatesIn(doc: Located, parameters: Node | undefined): FieldProblem[] {
  if (parameters === undefined || kindOf(doc, parameters) !== Kind.object) return [];
  const names = Array.from(namesOf(doc, parameters), (name) => stringAt(doc, name));
  const known = new Set<string>();
  const twice = new Set(names.filter((name) => known.has(name) || !known.add(name)));
  return Array.from(twice, (name) => ({
    pointer: `/parameters/${escaped(name)}`,
    detail: 'It may occur only once.',
  }));
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(problems: readonly FieldProblem[]): ServiceError {
  const errors = problems.slice(0, MAX_PROBLEMS);
  const detail = 'The request has parts that are missing, unknown or of the wrong type.';
  return new ServiceError('request-invalid', detail, { errors });
}
