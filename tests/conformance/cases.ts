import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StubAnswer, StubRequest } from '../pdp/stub.ts';

export type Values = Readonly<Record<string, unknown>>;

interface CaseFile {
  /** The base configuration; `port` and `pdpUrl` are filled in. */
  readonly config: Values;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  /** Changes of the base configuration; null removes a key. */
  readonly config?: Values;
  readonly request: CaseRequest;
  /** Absent if the service does not get to ask. */
  readonly pdp?: CaseAnswer & {
    /** What is answered at paths that differ from the rest. */
    readonly byPath?: Readonly<Record<string, CaseAnswer>>;
  };
  readonly expect: Expectation;
}

interface CaseAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body is text, to be sent as it is. */
  readonly raw?: true;
  /** Answers AuthZEN evaluations: false for these resource ids, true for the others. */
  readonly echo?: { readonly denied: readonly string[] };
}

/** Either the three parts, or a whole body. */
interface CaseRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly parameters: unknown;
  readonly vendor: unknown;
  readonly json?: unknown;
  /** The payload if its exact text matters. */
  readonly jsonRaw?: string;
}

export interface Expectation {
  readonly status?: number;
  /** Compared as values. */
  readonly json?: unknown;
  /** One of these values is right. */
  readonly jsonAny?: readonly unknown[];
  /** Compared as text. */
  readonly raw?: string;
  /** Other texts that are right as well. */
  readonly rawAlso?: readonly string[];
  /** The content type is `application/problem+json`. */
  readonly problem?: boolean;
  /** Text in the problem's `detail`. */
  readonly detail?: string;
  /** The service refuses the configuration, so nothing else is expected. */
  readonly startFails?: true;
  readonly pdpRequest?: {
    /** The path of the request that is meant if there are several. */
    readonly of?: string;
    readonly method?: string;
    readonly path?: string;
    /** Compared member by member, at any depth; null means absent. */
    readonly body?: Values;
    readonly headers?: Values;
  };
  readonly logs?: readonly string[];
  readonly notLogs?: readonly string[];
}

/** A conformance case, ready to be run. */
export interface ConformanceCase {
  /** File and case. */
  readonly name: string;
  readonly config: Values;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly pdp: (request: StubRequest) => StubAnswer;
  readonly expect: Expectation;
}

const FOLDER = path.resolve('tests/conformance/cases');

/** Every case of every file. */
export function conformanceCases(): readonly ConformanceCase[] {
  return readdirSync(FOLDER).flatMap((file) => {
    const { config, cases }: CaseFile = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
    return cases.map((each) => prepared(file, config, each));
  });
}

function prepared(
  file: string,
  config: Values,
  { name, request, pdp = { body: '' }, expect, ...own }: Case,
): ConformanceCase {
  const { method = 'POST', path: target = '/enforce', headers = {} } = request;
  return {
    name: `${file} › ${name}`,
    config: { ...config, ...own.config },
    request: { method, path: target, headers, body: bodyOf(request) },
    pdp: (asked) => answerTo(asked, pdp.byPath?.[asked.path] ?? pdp),
    expect,
  };
}

interface Evaluations {
  readonly evaluations: readonly { readonly resource: { readonly id: string } }[];
}

function answerTo(
  request: StubRequest,
  { status = 200, headers = {}, body, raw, echo }: CaseAnswer,
): StubAnswer {
  if (echo === undefined) return { status, headers, body: textOf(body, raw) };
  const { evaluations }: Evaluations = JSON.parse(request.body.toString());
  const decisions = evaluations.map(({ resource }) => ({ decision: !echo.denied.includes(resource.id) }));
  return { status, headers, body: JSON.stringify({ evaluations: decisions }) };
}

function bodyOf({ body, parameters, vendor, json, jsonRaw }: CaseRequest): string {
  if (body !== undefined) return textOf(body, typeof body === 'string');
  const payload = jsonRaw ?? JSON.stringify(json);
  return `{"parameters":${JSON.stringify(parameters)},"vendor":${JSON.stringify(vendor)},"json":${payload}}`;
}

function textOf(body: unknown, isText = false): string {
  return isText ? String(body) : JSON.stringify(body);
}
