import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ERROR_TITLES } from '../../../src/errors.ts';
import { statusOf } from '../../../src/places/listener/index.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';
import { leaksIn } from './planted.ts';
import { MESSAGE_ERROR_CODES, PROVOCATIONS, provokeAll, PROXY_ERROR_CODES } from './provocations.ts';

afterEach(closeAll);

test('every code of the catalogue is provoked', () => {
  const provoked = new Set([
    ...PROVOCATIONS.map(({ code }) => code),
    ...MESSAGE_ERROR_CODES,
    ...PROXY_ERROR_CODES,
  ]);
  expect([...provoked].toSorted()).toEqual(Object.keys(ERROR_TITLES).toSorted());
});

describe('an error', () => {
  let outcomeOf: Awaited<ReturnType<typeof provokeAll>>;

  beforeAll(async () => {
    outcomeOf = await provokeAll();
    await closeAll();
  });

  describe.each(PROVOCATIONS)('$code, by $name,', (provocation) => {
    test('is answered as a problem, which has the id of the request', () => {
      const answer = outcomeOf(provocation);
      const title = ERROR_TITLES[provocation.code];
      const status = statusOf(provocation.code);
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
      });
      expect(problemIn(answer)).toMatchObject({
        type: `urn:authz-jsonmasking:error:${provocation.code}`,
        title,
        status,
        detail: expect.stringMatching(/^[A-Z].*\.$/),
        instance: answer.headers['x-request-id'],
      });
    });

    test('gives no secret and no payload value away, not even in the log at debug', () => {
      const { logged, ...answer } = outcomeOf(provocation);
      expect(leaksIn(JSON.stringify(answer))).toEqual([]);
      expect(logged).toHaveLength(1);
      expect(leaksIn(logged.join('\n'))).toEqual([]);
    });

    test('is one line in the log, with its code', () => {
      const { logged, headers } = outcomeOf(provocation);
      expect(logged.map((line): unknown => JSON.parse(line))).toEqual([
        expect.objectContaining({
          message: 'Request',
          requestId: headers['x-request-id'],
          status: statusOf(provocation.code),
          error: provocation.code,
        }),
      ]);
    });
  });
});

describe('a request with several problems', () => {
  const body = JSON.stringify({
    parameters: { root: 1, assetType: '', calculationType: 'guess', filter: 'yes', FILTER: 0, maskString: 7 },
    vendor: [],
    json: 'text',
  });

  test('gets all of them at once, each with the JSON pointer of its field', async () => {
    const { port } = await startEnforcement();
    const { errors = [] } = problemIn(await call(port, { body }));
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/json',
      '/parameters/FILTER',
      '/parameters/assetType',
      '/parameters/calculationType',
      '/parameters/filter',
      '/parameters/maskString',
      '/parameters/root',
      '/vendor',
    ]);
    expect(errors.every(({ detail }) => detail.endsWith('.'))).toBe(true);
  });

  test.each([
    ['every part is missing', '{}', ['/json', '/parameters', '/vendor']],
    ['the body is no object', '[]', ['']],
    [
      'every part is null',
      '{"parameters":null,"vendor":null,"json":null}',
      ['/json', '/parameters', '/vendor'],
    ],
    [
      'parts stand twice',
      '{"parameters":{},"vendor":{},"vendor":{},"json":{},"json":{}}',
      ['/json', '/vendor'],
    ],
    [
      'context has neither asset id nor protected object',
      enforcing('[]', { parameters: { calculationType: 'context' } }),
      ['/parameters/assetId', '/parameters/protectedObject'],
    ],
    [
      'the protected object of context is of the wrong type',
      enforcing('[]', { parameters: { calculationType: 'context', assetId: 'id', protectedObject: 1 } }),
      ['/parameters/protectedObject'],
    ],
    ['a root cannot be parsed', enforcing('[]', { parameters: { root: 'a..b' } }), ['/parameters/root']],
  ])('names the fields if %s', async (_, text, pointers) => {
    const service = await startEnforcement();
    const answer = await call(service.port, { body: text });
    expect(answer.status).toBe(400);
    expect(
      problemIn(answer)
        .errors?.map(({ pointer }) => pointer)
        .toSorted(),
    ).toEqual(pointers);
    expect(service.pdp.requests).toEqual([]);
  });
});

test('a part that is missing is found by a misspelt name', async () => {
  const { port } = await startEnforcement();
  const body = '{"vendors":{},"vendors":{},"other":{},"Json":[],"a/b":0,"parameters":{},"paramters":{}}';
  expect(problemIn(await call(port, { body })).errors).toEqual([
    { pointer: '/json', detail: 'Required.' },
    { pointer: '/vendor', detail: 'Required.' },
    { pointer: '/vendors', detail: 'Unknown. Did you mean vendor?' },
    { pointer: '/Json', detail: 'Unknown. Did you mean json?' },
  ]);
});

test('a part that is missing is looked for among a hundred names, which may be long', async () => {
  const { port } = await startEnforcement();
  const names = Array.from({ length: 99 }, (_, index) => `"other${index}":0`);
  const found = `{"parameters":{},"json":[],${names.slice(2).join(',')},"vendors":{}}`;
  expect(problemIn(await call(port, { body: found })).errors).toHaveLength(2);
  const late = `{"parameters":{},"json":[],${names.slice(1).join(',')},"vendors":{}}`;
  expect(problemIn(await call(port, { body: late })).errors).toHaveLength(1);
  const long = `{"parameters":{},"json":[],"vendor${' '.repeat(100)}":{}}`;
  expect(problemIn(await call(port, { body: long })).errors).toHaveLength(1);
});

test('an unknown parameter is refused by its name, without its value and before the PDP is asked', async () => {
  const service = await startEnforcement();
  const body = enforcing('[]', { parameters: { shape: 'planted-payload-value' } });
  const answer = await call(service.port, { body });
  expect(answer.status).toBe(400);
  expect(problemIn(answer).errors).toEqual([{ pointer: '/parameters/shape', detail: 'Unknown.' }]);
  expect(service.pdp.requests).toEqual([]);
  expect(leaksIn([answer.text, ...service.logged].join('\n'))).toEqual([]);
});

describe('the reason of the PDP for a refusal', () => {
  const reason = 'None of the Identity Templates matched Jane, password 4711';

  test.each([
    [401, reason],
    [403, reason],
    [400, `The PDP answered with status 400: ${reason}`],
    [404, `The PDP answered with status 404: ${reason}`],
    [429, `The PDP answered with status 429: ${reason}`],
  ])('goes to the caller and not into the log: %d', async (status, detail) => {
    const service = await startEnforcement({ status, body: reason });
    const answer = await call(service.port, { body: enforcing('[{"a":1}]') });
    expect(problemIn(answer).detail).toBe(detail);
    await eventually(() => service.logged.length > 0);
    expect(service.logged.join('\n')).not.toContain('Templates');
  });

  test('is not passed on with 5xx', async () => {
    const service = await startEnforcement({ status: 500, body: reason });
    const answer = await call(service.port, { body: enforcing('[{"a":1}]') });
    expect(problemIn(answer).detail).toBe('The PDP answered with status 500.');
  });

  test('comes with the challenge of the PDP, byte by byte', async () => {
    const challenge = Buffer.from('Bearer realm="Zürich – 1"').toString('latin1');
    const service = await startEnforcement({ status: 401, headers: { 'www-authenticate': challenge } });
    const answer = await call(service.port, { body: enforcing('[{"a":1}]') });
    expect(answer.headers['www-authenticate']).toBe(challenge);
  });
});
