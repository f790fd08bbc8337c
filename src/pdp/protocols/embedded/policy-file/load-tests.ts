import * as z from 'zod';
import { hasUniqueNames, JsonDepthError, JsonSyntaxError, scan, TOP } from '../../../../core/index.ts';
import { DEEPEST, intentFrom } from '../../../../enforcement/index.ts';
import { ServiceError } from '../../../../errors.ts';
import {
  configurationError,
  readSource,
  type YamlPath,
  type Problem,
  type Source,
} from '../../../../yaml/index.ts';
import { explain, type PlacedProblem } from '../../../policies/index.ts';
import { located, readPolicyText } from './load.ts';
import { testFileSchema, testsSchema, type WrittenTest } from './tests-schema.ts';

/** A test of policies: who asks about which payload, and what is expected. */
export interface PolicyTest {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The user; undefined if `vendor` says who asks, as in a request. */
  readonly user: TestUser | undefined;
  /** JSON texts. */
  readonly vendor: string;
  readonly parameters: string;
  readonly payload: string;
  readonly expected: { readonly payload: string } | { readonly error: string };
}

/** A user whom nobody has to authenticate. */
export interface TestUser {
  readonly entityTypeId?: string | undefined;
  readonly entityId?: string | undefined;
  /** JSON text; undefined if the user has no token. */
  readonly claims: string | undefined;
}

const withTests = z.looseObject({ tests: testsSchema.optional() });

/**
 * Reads the tests in a file.
 *
 * @param isPolicyFile the file is a policy file that was verified: it may have no tests
 * @throws ConfigurationError with everything that is wrong with the tests
 */
export function loadPolicyTests(file: string, isPolicyFile: boolean): readonly PolicyTest[] {
  const source = readSource(readPolicyText(file));
  if ('problems' in source) throw configurationError(file, source.problems);
  const result = (isPolicyFile ? withTests : testFileSchema).safeParse(source.data);
  if (!result.success) throw configurationError(file, problemsIn(explain(result.error.issues), source));
  const written = result.data.tests ?? [];
  const problems = written.flatMap((test, i) => intentProblems(test, ['tests', i], source));
  if (problems.length > 0) throw configurationError(file, problemsIn(problems, source));
  return written.map((test, i) => testFrom(test, { file, source, place: ['tests', i] }));
}

function problemsIn(problems: readonly PlacedProblem[], source: Source): readonly Problem[] {
  return problems.map((problem) => located(problem, source));
}

interface Origin {
  readonly file: string;
  readonly source: Source;
  readonly place: YamlPath;
}

function testFrom(test: WrittenTest, { file, source, place }: Origin): PolicyTest {
  const { name, as: user, expectError } = test;
  const json = (key: string): string => source.jsonAt([...place, key]) ?? '{}';
  return {
    file,
    line: source.lineOf(place),
    name,
    user: user && { ...user, claims: source.jsonAt([...place, 'as', 'claims']) },
    vendor: withUser(json('vendor'), user),
    parameters: json('parameters'),
    payload: textOrJson(test.json, json('json')),
    expected:
      expectError === undefined
        ? { payload: textOrJson(test.expect, json('expect')) }
        : { error: expectError },
  };
}

/** A payload that is written as text is JSON already. */
function textOrJson(written: unknown, json: string): string {
  return typeof written === 'string' ? written : json;
}

/** The vendor of a request by the user. */
function withUser(vendor: string, user: WrittenTest['as']): string {
  const members = [
    ...(user?.entityTypeId === undefined ? [] : [`"entityTypeId":${JSON.stringify(user.entityTypeId)}`]),
    ...(user?.entityId === undefined ? [] : [`"entityId":${JSON.stringify(user.entityId)}`]),
    ...(vendor === '{}' ? [] : [vendor.slice(1, -1)]),
  ];
  return `{${members.join(',')}}`;
}

/** Parameters and vendor that no request could have, unless the test expects that they are refused. */
function intentProblems(test: WrittenTest, place: YamlPath, source: Source): readonly PlacedProblem[] {
  const conflicts = conflictsWithUser(test).map((name) => ({
    place: [...place, 'vendor', name],
    message: `is given by as, too; keep one of them`,
  }));
  const incomparable = incomparablePayloads(test, place);
  if (test.expectError === 'request-invalid') return [...conflicts, ...incomparable];
  return [...conflicts, ...incomparable, ...refusedMembers(place, source)];
}

/** Payloads as text that cannot be compared with an answer. The answer to one that is not JSON is an error. */
function incomparablePayloads({ json, expect }: WrittenTest, place: YamlPath): readonly PlacedProblem[] {
  if (expect === undefined) return [];
  const [sent, expected] = [problemOfText(json), problemOfText(expect)];
  return [
    ...(sent?.isJson === true ? [{ place: [...place, 'json'], message: sent.message }] : []),
    ...(expected === undefined ? [] : [{ place: [...place, 'expect'], message: expected.message }]),
  ];
}

function problemOfText(written: unknown): { readonly isJson: boolean; readonly message: string } | undefined {
  if (typeof written !== 'string') return undefined;
  try {
    if (hasUniqueNames(scan(Buffer.from(written), DEEPEST), TOP)) return undefined;
    return { isJson: true, message: 'has a name twice in one object: only the last one could be compared' };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof JsonDepthError)) throw error;
    return { isJson: false, message: `is text that is not JSON: ${error.message}` };
  }
}

function conflictsWithUser({ as: user, vendor = {} }: WrittenTest): readonly string[] {
  return ['entityTypeId', 'entityId'].filter(
    (name) => Object.hasOwn(user ?? {}, name) && Object.hasOwn(vendor, name),
  );
}

function refusedMembers(place: YamlPath, source: Source): readonly PlacedProblem[] {
  const textAt = (key: string): string => source.jsonAt([...place, key]) ?? '{}';
  try {
    intentFrom({ vendor: textAt('vendor'), parameters: textAt('parameters') }, DEEPEST);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.errors.map(({ pointer, detail }) => ({
      place: [...place, ...pointer.split('/').slice(1)],
      message: `is not accepted: ${detail}`,
    }));
  }
}
