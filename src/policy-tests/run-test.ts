import {
  joined,
  scan,
  TOP,
  valueAt,
  type Explanation,
  type JsonPart,
  type JsonValue,
} from '../core/index.ts';
import { DEEPEST, DEEPEST_ANSWER, enforce, intentFrom, type EnforcementPorts } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import { loadEmbeddedPdp, type PolicyFile, type PolicyTest } from '../pdp/index.ts';
import { writtenLike } from './compare.ts';
import { differingPlaces } from './differing-places.ts';

/** What came of a test; a passed one has no failure. */
export interface TestResult {
  readonly test: PolicyTest;
  readonly seconds: number;
  readonly failure: Failure | undefined;
  /** What the policies did; undefined if the payload was not enforced. */
  readonly explanation: Explanation | undefined;
}

/** How a test failed. */
interface Failure {
  /** In one line. */
  readonly summary: string;
  /** What is expected and what is answered, if both are payloads. */
  readonly payloads?: {
    readonly expected: JsonPart;
    readonly actual: JsonPart;
    /** Where they differ: JSON pointers into the payload of the test. */
    readonly places: readonly string[];
  };
}

/** What a test is run with: all of enforcement but the PDP, which knows the user of the test. */
export interface TestBench {
  readonly policies: PolicyFile;
  readonly ports: Omit<EnforcementPorts, 'pdp'>;
}

interface Enforced {
  readonly payload: Buffer;
  readonly explanation: Explanation | undefined;
}

/** An enforced payload, or the error. */
type Answer = Enforced | ServiceError;

/** The log is not a part of what a test sees. */
const NO_LOG = { warn: () => undefined, info: () => undefined };
const NO_LIMIT = { limit: Infinity, reserve: () => undefined };
const EVERYTHING = { maxExplained: 100_000, maxBytes: 64 * 1024 * 1024 };

/** Runs one test. */
export async function runTest(test: PolicyTest, bench: TestBench): Promise<TestResult> {
  const start = performance.now();
  const answer = await answerTo(test, bench);
  const seconds = (performance.now() - start) / 1000;
  const explanation = answer instanceof ServiceError ? undefined : answer.explanation;
  return { test, seconds, failure: failureOf(test, answer), explanation };
}

async function answerTo(test: PolicyTest, { policies, ports }: TestBench): Promise<Answer> {
  const { createEmbeddedPdp, userOfTest } = await loadEmbeddedPdp();
  const pdp = createEmbeddedPdp({ current: policies }, test.user && userOfTest(test.user));
  const { signal } = new AbortController();
  const ofTest = { log: NO_LOG, room: NO_LIMIT, explain: EVERYTHING, signal };
  try {
    const intent = { ...intentFrom(test, DEEPEST), headers: [] };
    const enforced = await enforce(Buffer.from(test.payload), intent, { ...ports, ...ofTest, pdp });
    return { payload: joined(enforced.payload), explanation: enforced.explanation };
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function failureOf({ payload, expected }: PolicyTest, answer: Answer): Failure | undefined {
  if ('error' in expected) return errorFailure(expected.error, answer);
  if (answer instanceof ServiceError) return { summary: `expected a payload, got ${describe(answer)}` };
  return payloadFailure(Buffer.from(payload), Buffer.from(expected.payload), answer);
}

function errorFailure(expected: string, answer: Answer): Failure | undefined {
  if (!(answer instanceof ServiceError)) return { summary: `expected the error ${expected}, got a payload` };
  if (answer.code === expected) return undefined;
  return { summary: `expected the error ${expected}, got ${describe(answer)}` };
}

function describe({ code, callerDetail, errors }: ServiceError): string {
  const places = errors.map(({ pointer, detail }) =>
    detail === callerDetail ? ` (${pointer})` : ` ${pointer}: ${detail}`,
  );
  return `the error ${code}: ${callerDetail}${places.join('')}`;
}

function payloadFailure(
  sent: Buffer,
  expecting: Buffer,
  { payload, explanation }: Enforced,
): Failure | undefined {
  const [expected, actual] = [valueOf(expecting), valueOf(payload)];
  const wanted = writtenLike(expected, actual);
  const answered = writtenLike(actual, actual);
  if (wanted === answered) return undefined;
  const places = explanation
    ? differingPlaces({ expected, actual, payload: valueOf(sent), explanation })
    : [];
  const payloads = { expected: partOf(Buffer.from(wanted)), actual: partOf(Buffer.from(answered)), places };
  return { summary: 'expected another payload', payloads };
}

function valueOf(json: Buffer): JsonValue {
  return valueAt(partOf(json).doc, TOP);
}

function partOf(json: Buffer): JsonPart {
  return { doc: scan(json, DEEPEST_ANSWER), node: TOP };
}
