import { afterEach, describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import supertest, { type Response } from 'supertest';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import type { StubRequest } from '../pdp/stub.ts';
import { startEnforcement } from '../support/service.ts';
import { conformanceCases, type ConformanceCase, type Expectation, type Values } from './cases.ts';

afterEach(closeAll);

describe('the service passes the conformance cases over HTTP', () => {
  test.each(conformanceCases())('$name', async (each) => {
    expect(await outcomeOf(each)).toEqual(each.expect);
  });
});

/** The outcome of a case, in the form and to the extent of what is expected. */
async function outcomeOf(each: ConformanceCase): Promise<Values> {
  if (each.expect.startFails === true) return { startFails: await refusesToStart(each) };
  const { config, request, pdp, expect: expected } = each;
  const service = await startEnforcement(pdp, config, 'info');
  const answer = await send(service.url, request);
  const log = service.logged.map((line) => `${line}\n`).join('');
  const json: unknown = isJson(answer) ? JSON.parse(answer.text) : undefined;
  const outcome = {
    status: answer.status,
    json,
    jsonAny: expected.jsonAny?.some((one) => _.isEqual(one, json)) === true ? expected.jsonAny : [json],
    raw: expected.rawAlso?.includes(answer.text) ? expected.raw : answer.text,
    rawAlso: expected.rawAlso,
    problem: isProblem(answer),
    detail: detailOf(answer, expected.detail),
    pdpRequest: asExpected(service.pdp.requests, expected.pdpRequest),
    logs: expected.logs?.filter((text) => log.includes(text)),
    notLogs: expected.notLogs?.filter((text) => !log.includes(text)),
  };
  return _.pick(outcome, _.keys(expected));
}

/** Whether the service refuses the configuration of a case. */
async function refusesToStart({ config, pdp }: ConformanceCase): Promise<boolean> {
  try {
    await startEnforcement(pdp, config, 'info');
    return false;
  } catch (error) {
    return error instanceof ConfigurationError;
  }
}

/** The expected text if the problem's detail has it, else the whole detail. */
function detailOf(answer: Response, text = ''): string {
  if (answer.headers['content-type'] !== 'application/problem+json') return '';
  const detail = String(JSON.parse(answer.text).detail);
  return detail.includes(text) ? text : detail;
}

function send(url: string, { method, path, headers, body }: ConformanceCase['request']): Promise<Response> {
  const agent = supertest(url);
  if (method === 'GET') return agent.get(path).set(headers);
  return agent
    .post(path)
    .set({ 'content-type': 'application/json', ...headers })
    .send(body);
}

function isJson({ headers }: Response): boolean {
  return headers['content-type'] === 'application/json; charset=utf-8';
}

function isProblem({ headers, status, text }: Response): boolean {
  if (headers['content-type'] !== 'application/problem+json') return false;
  const problem: Values = JSON.parse(text);
  return problem['status'] === status && problem['instance'] === headers['x-request-id'];
}

/** The one request that the PDP got, as far as something is expected of it; null stands for a member that it lacks. */
function asExpected(
  requests: readonly StubRequest[],
  expected: Expectation['pdpRequest'] = {},
): Values | undefined {
  const { of } = expected;
  const [request, ...others] = requests.filter(({ path }) => of === undefined || path === of);
  if (request === undefined || others.length > 0) return undefined;
  const { method, path, headers } = request;
  const body: unknown = JSON.parse(request.body.toString());
  const asked = {
    of,
    method,
    path,
    headers: membersOf(headers, expected.headers),
    body: membersOf(body, expected.body),
  };
  return _.pick(asked, _.keys(expected));
}

/** Of a value, the members that something is expected of; null stands for one that is not there. */
function membersOf(actual: unknown, expected: unknown): unknown {
  if (!_.isPlainObject(expected)) return actual ?? null;
  return _.mapValues(Object(expected), (value, name) => membersOf(_.get(actual, [name]), value));
}
