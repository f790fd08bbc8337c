import { JsonSyntaxError, Kind, TOP, kindOf, scan, type JsonPart, type MaskKeys } from '../../core/index.ts';
import {
  enforce,
  intentFrom,
  payloadProblem,
  GivenWarnings,
  Plans,
  DEEPEST,
  EventLoopScheduler,
  type Decider,
  type Enforced,
  type EnforcementSettings,
  type HeaderFields,
  type Intent,
} from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { lineAt, problemsFrom, type PlaygroundProblem } from './problems.ts';
import { readPlaygroundRequest, type PlaygroundRequest } from './request.ts';

/** What decides, made of what the reader typed. */
export interface Source {
  readonly pdp: Decider;
  readonly settings: EnforcementSettings;
  /** What has the PDP believe that this user asks. */
  readonly credentials: (claims: string) => {
    readonly headers: HeaderFields;
    readonly vendor: Readonly<Record<string, string>>;
  };
}

/** Something is wrong with what was typed. */
export interface Problems {
  readonly problems: readonly PlaygroundProblem[];
}

export interface ExplainOptions {
  /** Makes what decides, or finds what is wrong with it. */
  readonly open: (request: PlaygroundRequest) => Promise<Source | Problems>;
  readonly keys: MaskKeys;
}

/** The longest answer and the longest explanation, in bytes. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** More than this many changes are not looked at one by one. */
const LIMITS = { maxExplained: 10_000, maxBytes: MAX_ANSWER };
/** How many sources are kept open. */
const MAX_OPEN = 4;

/** Nothing is logged: the page shows everything. */
const SILENT = { info: () => undefined, warn: () => undefined };
const ROOM = { limit: MAX_ANSWER, reserve: () => undefined };

/**
 * Answers the page: what `POST /explain` answers, as `explanation`; or `problems`, if anything that was typed is wrong.
 *
 * @returns answers the body of a question, in chunks: JSON in UTF-8
 */
export function explainer({ open, keys }: ExplainOptions) {
  const scheduler = new EventLoopScheduler();
  const sourceFor = memorized(open);
  return async (body: Buffer, signal: AbortSignal): Promise<readonly Uint8Array[]> => {
    const request = readPlaygroundRequest(body);
    const source = await sourceFor(request);
    const payload = readPayload(request.payload);
    const problems = [source, payload, checkClaims(request.claims)].flatMap((part) =>
      'problems' in part ? part.problems : [],
    );
    if ('problems' in source || 'problems' in payload || problems.length > 0) return [problemsText(problems)];
    const ports = {
      ...source,
      keys,
      scheduler,
      log: SILENT,
      warnings: new GivenWarnings(),
      signal,
      room: ROOM,
      explain: LIMITS,
    };
    return explanationOf(() => enforce(payload, intentOf(request, source), ports));
  };
}

async function explanationOf(enforced: () => Promise<Enforced>): Promise<readonly Uint8Array[]> {
  try {
    return explanationText(await enforced());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [problemsText(problemsFrom(error))];
  }
}

/** Keeps what was opened last: most of the time it is the payload that changes. */
function memorized(open: ExplainOptions['open']) {
  const known = new Map<string, Problems | (Source & { readonly plans: Plans })>();
  return async (request: PlaygroundRequest) => {
    const key = JSON.stringify([request.source, request.settings]);
    const opened = known.get(key) ?? { plans: new Plans(), ...(await open(request)) };
    known.delete(key);
    known.set(key, opened);
    for (const oldest of known.keys()) if (known.size > MAX_OPEN) known.delete(oldest);
    return opened;
  };
}

function intentOf({ parameters, vendor, claims }: PlaygroundRequest, { credentials }: Source): Intent {
  const { headers, vendor: more } = credentials(claims);
  const texts = { parameters: JSON.stringify(parameters), vendor: JSON.stringify({ ...vendor, ...more }) };
  return { ...intentFrom(texts, DEEPEST), headers };
}

function readText(text: string, part: PlaygroundProblem['part']): JsonPart | Problems {
  const bytes = Buffer.from(text);
  try {
    return { doc: scan(bytes, DEEPEST), node: TOP };
  } catch (error) {
    if (!Error.isError(error)) throw error;
    const line = error instanceof JsonSyntaxError ? lineAt(bytes, error.offset) : undefined;
    return {
      problems: [{ part, message: `This is not valid JSON: ${error.message}.`, line, code: 'body-not-json' }],
    };
  }
}

function readPayload(text: string): JsonPart | Problems {
  const read = readText(text, 'payload');
  const message = 'problems' in read ? undefined : payloadProblem(read);
  return message === undefined ? read : { problems: [{ part: 'payload', message }] };
}

function checkClaims(claims: string): JsonPart | Problems {
  const read = readText(claims.trim() === '' ? '{}' : claims, 'user');
  const isObject = !('problems' in read) && kindOf(read.doc, read.node) === Kind.object;
  const message = 'The claims have to be a JSON object, such as { "region": "EU" }.';
  return isObject ? read : { problems: [{ part: 'user', message }] };
}

/** The bytes of the payload are those that the service answers. */
function explanationText({ payload, explanation }: Enforced): readonly Uint8Array[] {
  const others = Buffer.from(JSON.stringify(explanation).slice(1));
  return [Buffer.from('{"explanation":{"payload":'), ...payload, Buffer.from(','), others, Buffer.from('}')];
}

function problemsText(problems: readonly PlaygroundProblem[]): Buffer {
  return Buffer.from(JSON.stringify({ problems }));
}
