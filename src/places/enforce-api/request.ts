import {
  jsonPointer,
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  TOP,
  kindOf,
  NameIndex,
  namesOf,
  scan,
  stringAt,
  valueOf,
  type JsonPart,
  type JsonDocument,
} from '../../core/index.ts';
import {
  invalidRequest,
  isMisspelt,
  payloadProblem,
  readIntent,
  unknownDetail,
  type Intent,
} from '../../enforcement/index.ts';
import { ServiceError, type FieldProblem } from '../../errors.ts';

/** The parts of an enforce request. */
export interface EnforceRequest {
  readonly intent: Pick<Intent, 'vendor' | 'parameters'>;
  /** An object or an array within the body. */
  readonly payload: JsonPart;
}

const PARTS = ['parameters', 'vendor', 'json'] as const;
type Part = (typeof PARTS)[number];
/** A caller may send many other members. */
const PART_NAMES = NameIndex.of(PARTS);
/** How many members are looked at for a part that is missing. */
const MAX_MISSPELT = 100;

/**
 * Reads the body of an enforce request. It is scanned once: intent and payload are parts of the same document.
 *
 * @param maxDepth how deep each of its parts may nest, in levels of objects and arrays
 * @throws ServiceError `body-not-json`, `nesting-too-deep`, or `request-invalid` with every problem at once
 */
export function readRequest(body: Buffer, maxDepth: number): EnforceRequest {
  const doc = scanned(body, maxDepth);
  if (kindOf(doc, TOP) !== Kind.object)
    throw invalidRequest([{ pointer: '', detail: 'The body has to be an object.' }]);
  const parts = findParts(doc);
  const { parameters, vendor, json } = parts;
  const read = readIntent({ parameters: parameters[0], vendor: vendor[0] });
  const [payload] = json;
  const problems = [
    ...repeated('parameters', parameters),
    ...repeated('vendor', vendor),
    ...payloadProblems(json),
    ...('problems' in read ? read.problems : []),
    ...misspelt(doc, parts),
  ];
  if ('problems' in read || problems.length > 0 || payload === undefined) throw invalidRequest(problems);
  return { intent: read.intent, payload };
}

function scanned(body: Buffer, maxDepth: number): JsonDocument {
  try {
    return scan(body, maxDepth + 1);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ServiceError('body-not-json', `The body is not valid JSON: ${error.message}.`);
    if (!(error instanceof JsonDepthError)) throw error;
    throw new ServiceError(
      'nesting-too-deep',
      `The body nests more than ${maxDepth} levels below one of its parts.`,
    );
  }
}

/** Every occurrence of each part. */
function findParts(doc: JsonDocument): Record<Part, JsonPart[]> {
  const parts: Record<Part, JsonPart[]> = { parameters: [], vendor: [], json: [] };
  for (const name of namesOf(doc, TOP)) {
    const part = PART_NAMES.get(doc, name);
    if (part) parts[part].push({ doc, node: valueOf(name) });
  }
  return parts;
}

/** Other members are ignored, but one whose name is nearly that of a part that is missing is likely to be meant as it. */
function misspelt(doc: JsonDocument, parts: Record<Part, readonly JsonPart[]>): readonly FieldProblem[] {
  const missing = PARTS.filter((part) => parts[part].length === 0);
  if (missing.length === 0) return [];
  const first = Iterator.from(namesOf(doc, TOP)).take(MAX_MISSPELT);
  const names = new Set(first.map((name) => stringAt(doc, name)));
  return Array.from(names)
    .filter((name) => isMisspelt(name, missing))
    .map((name) => ({ pointer: jsonPointer([name]), detail: unknownDetail(name, missing) }));
}

/** A part that occurs twice is refused: nothing decides which of them counts. */
function repeated(part: Part, { length }: readonly JsonPart[]): readonly FieldProblem[] {
  return length > 1 ? [{ pointer: `/${part}`, detail: 'It may occur only once.' }] : [];
}

function payloadProblems(parts: readonly JsonPart[]): readonly FieldProblem[] {
  const [payload, ...others] = parts;
  if (others.length > 0) return repeated('json', parts);
  const detail = payload === undefined ? 'Required.' : payloadProblem(payload);
  return detail === undefined ? [] : [{ pointer: '/json', detail }];
}
