import {
  DuplicateNameError,
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  TOP,
  bufferOf,
  kindOf,
  namesOf,
  scan,
  strictValueAt,
  stringAt,
  valueAt,
  valueOf,
  type JsonValue,
  type JsonDocument,
  type Node,
} from '../../../core/index.ts';
import type { FieldProblem } from '../../../errors.ts';
import type { Question as EnforcementQuestion } from '../../../enforcement/index.ts';
import { questionIn, QUESTION_MEMBERS, type Question } from './question-members.ts';
import { PdpRefusal } from './refusal.ts';

/** The members that count, as pointers; of `environment`, its own member too. */
const MEMBERS: ReadonlySet<string> = new Set([...QUESTION_MEMBERS, '/environment/resourceFullPath']);

/** Whether an asset type is asked for. If the question names none, all are. */
export function asksFor({ resourceTypes }: Question, assetType: string): boolean {
  return resourceTypes === undefined || resourceTypes.some(({ name }) => name === assetType);
}

/** As deep as a request's parts may nest at most (`maxDepth`), and the body around them. */
const MAX_DEPTH = 1025;

/**
 * Reads the body of a question: JSON in UTF-8.
 *
 * @throws PdpRefusal 400 with every member that is wrong; it quotes no values
 */
export function readQuestion(body: Uint8Array): Question {
  return questionAt(scanned(body), TOP);
}

/**
 * Reads the body of a request in another protocol: JSON in UTF-8.
 *
 * @throws PdpRefusal 400 if it is not JSON, or if a name occurs twice in one object
 */
export function readBodyValue(body: Uint8Array): JsonValue {
  try {
    return strictValueAt(scanned(body), TOP);
  } catch (error) {
    if (error instanceof DuplicateNameError)
      throw new PdpRefusal(400, 'A name occurs more than once in one object.');
    throw error;
  }
}

/**
 * The question of enforcement, with what it always needs: names of properties, policies and its own asset types.
 *
 * @throws PdpRefusal 400 with every member that is wrong; it quotes no values
 */
export function questionFrom({ vendor, assets, settings }: EnforcementQuestion): Question {
  const asked = questionAt(vendor.doc, vendor.node);
  const needed = assets === undefined ? [settings.assetType] : [settings.assetType, assets.type];
  const lacking = needed.filter((type) => asked.resourceTypes?.some(({ name }) => name === type) !== true);
  return {
    ...asked,
    includeAssetAttributes: true,
    includeAccessPolicy: true,
    resourceTypes: [...(asked.resourceTypes ?? []), ...lacking.map((name) => ({ name }))],
    ...(assets && { assetList: assets.ids.map((path) => ({ template: assets.type, path })) }),
  };
}

function questionAt(doc: JsonDocument, object: Node): Question {
  if (kindOf(doc, object) !== Kind.object) throw new PdpRefusal(400, 'The body is not a JSON object.');
  const repeated = [...repeatedIn(doc, object, ''), ...repeatedInEnvironment(doc, object)];
  if (repeated.length > 0) throw refused('occurs more than once', repeated);
  const { question, problems } = questionIn(Object(valueAt(doc, object)));
  if (problems.length > 0) throw refused('is not of the right type', problems);
  return question;
}

/** @throws PdpRefusal 400 if the body is not JSON in UTF-8 */
function scanned(body: Uint8Array): JsonDocument {
  try {
    return scan(bufferOf(body), MAX_DEPTH);
  } catch (error) {
    if (error instanceof JsonDepthError) throw new PdpRefusal(400, 'The body nests too deeply.');
    if (error instanceof JsonSyntaxError) throw new PdpRefusal(400, 'The body is not valid JSON.');
    throw error;
  }
}

/** The members that count here and occur more than once: choosing one would be a guess about who asks. */
function repeatedIn(doc: JsonDocument, object: Node, place: string): readonly FieldProblem[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of namesOf(doc, object)) {
    const member = stringAt(doc, name);
    if (!MEMBERS.has(`${place}/${member}`)) continue;
    if (seen.has(member)) repeated.add(member);
    seen.add(member);
  }
  return Array.from(repeated, (name) => ({
    pointer: `${place}/${name}`,
    detail: 'It may occur only once.',
  }));
}

function repeatedInEnvironment(doc: JsonDocument, object: Node): readonly FieldProblem[] {
  const name = Array.from(namesOf(doc, object)).find((one) => stringAt(doc, one) === 'environment');
  if (name === undefined || kindOf(doc, valueOf(name)) !== Kind.object) return [];
  return repeatedIn(doc, valueOf(name), '/environment');
}

function refused(what: string, problems: readonly FieldProblem[]): PdpRefusal {
  const [first] = problems;
  const member = first?.pointer.slice(1).replaceAll('/', '.') ?? '';
  return new PdpRefusal(400, `\`${member}\` ${what}.`, problems);
}
