import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../../src/compose/app.ts';
import { parseConfiguration } from '../../../src/config/load.ts';
import { ERROR_TITLES } from '../../../src/errors.ts';
import { openApiDocument } from '../../../src/places/enforce-api/openapi/document.ts';
import { ENFORCE_EXAMPLES } from '../../../src/places/enforce-api/openapi/examples.ts';
import { provokeAll, PROVOCATIONS, PROXY_ERROR_CODES } from '../enforce-api/provocations.ts';
import { loggerInMemory } from '../../telemetry/log/memory-sink.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, type Answer } from '../../support/caller.ts';
import { startEnforcement, startService } from '../../support/service.ts';
import { DESCRIPTION, describedResponse, deviations, errorsIn, OPERATIONS } from './description.ts';
import { registeredRoutes } from './registered-routes.ts';

afterEach(closeAll);

/** The sample configuration of the examples, on any free port. */
const SAMPLE = {
  policyFile: path.resolve('examples/policies/demo.yaml'),
  attrName: 'column',
  object: 'table',
  explain: { port: 1 },
  report: true,
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('the description of the service', () => {
  test('is what the service answers at /openapi.json', async () => {
    const { port } = await startEnforcement();
    const { status, text } = await call(port, { method: 'GET', path: '/openapi.json' });
    expect({ status, document: JSON.parse(text) }).toEqual({ status: 200, document: openApiDocument() });
  });

  test('has every route that is registered, and no other', async () => {
    const text = 'port: 0\npdpUrl: unused:1\nexplain: { port: 1 }';
    const configuration = parseConfiguration(text, { file: 'config.yaml' });
    const app = await createApp(configuration, loggerInMemory('json', 'error').logger);
    const routes = [app.handler, app.explain].flatMap((handler) =>
      handler ? registeredRoutes(handler) : [],
    );
    expect(routes.toSorted()).toEqual([...OPERATIONS.keys()].toSorted());
    await app.close();
  });

  test('has every error of the catalogue but those of routes, which it does not have, and no other', () => {
    const inOperations = OPERATIONS.values().flatMap(({ responses }) => errorsIn(responses));
    const described = new Set([...inOperations, ...errorsIn(DESCRIPTION.components.responses)]);
    const ofRoutes = new Set<string>(PROXY_ERROR_CODES);
    const own = Object.keys(ERROR_TITLES).filter((code) => !ofRoutes.has(code));
    const codes = own.map((code) => `urn:authz-jsonmasking:error:${code}`);
    expect([...described].toSorted()).toEqual(codes.toSorted());
  });

  test.each([...OPERATIONS])(
    'says of %s that any message may be refused, and that the service may fail',
    (_, operation) => {
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['200', '400', '408', '431', '500']),
      );
    },
  );
});

describe('what the service answers is as described', () => {
  let outcomeOf: Awaited<ReturnType<typeof provokeAll>>;

  beforeAll(async () => {
    outcomeOf = await provokeAll();
    await closeAll();
  });

  test.each(PROVOCATIONS)('if it is $code, by $name', (provocation) => {
    const answer = outcomeOf(provocation);
    const { method = 'POST', path: target = '/enforce' } = provocation.call ?? {};
    expect(deviationsOf(answer, method, target.replace(/\?.*/u, ''))).toEqual([]);
  });

  test.each(['/health/liveness', '/health/readiness', '/openapi.json'])(
    'if it is 200, at %s',
    async (target) => {
      const { port } = await startService(SAMPLE);
      const answer = await call(port, { method: 'GET', path: target });
      expect(answer.status).toBe(200);
      expect(deviationsOf(answer, 'GET', target)).toEqual([]);
    },
  );

  test.each(Object.keys(DESCRIPTION.paths))('if a method is not described for %s', async (target) => {
    const { port, explainPort = 0 } = await startService(SAMPLE);
    const listener = target === '/explain' ? explainPort : port;
    const others = METHODS.filter((method) => !OPERATIONS.has(`${method} ${target}`));
    const answers = await Promise.all(others.map((method) => call(listener, { method, path: target })));
    const found = answers.map((answer, i) => deviationsOf(answer, others[i] ?? '', target));
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 405));
    expect(found.flat()).toEqual([]);
  });
});

describe('the examples of the description', () => {
  test.each(ENFORCE_EXAMPLES)('show what the sample policies do, by $name', async ({ request, response }) => {
    const { port } = await startService(SAMPLE);
    const answer = await call(port, { body: JSON.stringify(request) });
    expect({ ...answer, text: JSON.parse(answer.text) }).toMatchObject({ status: 200, text: response });
    expect(deviationsOf(answer, 'POST', '/enforce')).toEqual([]);
  });

  test.each(ENFORCE_EXAMPLES)('are explained as described, by $name', async ({ request, response }) => {
    const { explainPort = 0 } = await startService(SAMPLE);
    const answer = await call(explainPort, { path: '/explain', body: JSON.stringify(request) });
    expect({ ...answer, text: JSON.parse(answer.text) }).toMatchObject({
      status: 200,
      text: { payload: response },
    });
    expect(deviationsOf(answer, 'POST', '/explain')).toEqual([]);
  });

  test('are requests as described', () => {
    const [body] = Object.values(OPERATIONS.get('POST /enforce')?.requestBody?.content ?? {});
    const values = Object.values(body?.examples ?? {}).map(({ value }) => value);
    expect(values).toEqual(ENFORCE_EXAMPLES.map(({ request }) => request));
    expect(values.flatMap((value) => (body ? deviations(value, body) : ['not described']))).toEqual([]);
  });
});

/** What of an answer is not as described: its status, its format, its headers or its body. */
function deviationsOf(answer: Answer, method: string, target: string): readonly unknown[] {
  const described = describedResponse(method, target, answer.status);
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  const media = described?.content[type];
  if (described === undefined || media === undefined)
    return [{ method, target, status: answer.status, type }];
  const missing = Object.keys(described.headers).filter(
    (name) => answer.headers[name.toLowerCase()] === undefined,
  );
  return [...missing, ...deviations(JSON.parse(answer.text), media)];
}
