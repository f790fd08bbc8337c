import { afterEach, describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import supertest, { type Response } from 'supertest';
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

/** What came of a case, in the form and to the extent in which it says what should. */
async function outcomeOf({ config, request, pdp, expect: expected }: ConformanceCase): Promise<Values> {
  const service = await startEnforcement(pdp, config, 'info');
  const answer = await send(service.url, request);
  const log = service.logged.join('\n');
  const outcome = {
    status: answer.status,
    json: isJson(answer) ? JSON.parse(answer.text) : undefined,
    raw: answer.text,
    problem: isProblem(answer),
    detail:
      expected.detail !== undefined && answer.text.includes(expected.detail) ? expected.detail : answer.text,
    pdpRequest: asExpected(service.pdp.requests, expected.pdpRequest),
    logs: expected.logs?.filter((text) => log.includes(text)),
    notLogs: expected.notLogs?.filter((text) => !log.includes(text)),
  };
  return _.pick(outcome, _.keys(expected));
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
