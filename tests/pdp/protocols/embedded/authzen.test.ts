import { NO_MASK_KEYS } from '../../../../src/core/actions/mask-keys.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readDecisionValue } from '../../../../src/pdp/decisions/resolution/decision.ts';
import { evaluateOne, evaluateSeveral } from '../../../../src/pdp/protocols/embedded/authzen.ts';
import { startPdpServer } from '../../../../src/pdp/protocols/embedded/server.ts';
import { call, enforcing } from '../../../support/caller.ts';
import { startService } from '../../../support/service.ts';
import { closeAll, stopLater } from '../../transport/setup.ts';
import { readingOf, readRules, rulesOf } from '../../../../src/pdp/decisions/rules-document/read.ts';
import { parseAnswer } from '../../../../src/pdp/decisions/json-answer.ts';
import { effectOf } from '../../effect.ts';
import { questionOf } from '../../questions.ts';
import { ask, policiesFrom } from './ask.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const YAML = `
scopes: [{ clientId: app, clientSecret: s3cret }]
mappers: { columns: { v2: { owner: owner.name, ssn: person.ssn, customer.card: pay.card, country: geo.country, id: id } } }
policies:
  - { name: Mask, properties: [ssn], action: last(4), priority: 3 }
  - { name: Card, object: customer, properties: [card], action: { name: SET, value: none } }
  - { name: Others, properties: all, action: MASK, when: { attribute: owner, operator: NOTEQUALS, values: ['\${entityId}'] } }
  - { name: Region, action: FILTER, when: { any: [{ attribute: country, operator: IN, values: [US] }] } }
  - { name: Try, properties: [ssn], action: MASK, metadata: { DRY_RUN: id }, for: { entityTypes: [Agent] } }
  - { name: Managers, properties: [ssn], action: MASK, for: { entityTypes: [Manager] } }
  - { name: Own, assetType: accounts, action: FILTER, for: { entityTypes: [Agent] }, when: { attribute: owner, operator: EQUALS, values: ['\${entityId}'] } }
  - { name: Number, assetType: accounts, properties: [number], action: MASK }`;

const VENDOR = { clientId: 'app', clientSecret: 's3cret' };

interface WrittenRule {
  readonly policy: string;
  readonly action: string;
  readonly effect?: string;
}

/** The rules document in the obligation of an answer. */
function filterIn(text: string): { readonly rules: readonly WrittenRule[] } {
  return JSON.parse(text).context.obligations[0].properties.filter;
}

function evaluation(vendor: unknown = VENDOR) {
  return {
    subject: { type: 'Agent', id: 'jane' },
    action: { name: 'read' },
    resource: { type: 'columns', id: 'columns' },
    context: { vendor },
  };
}

describe('the embedded PDP answers AuthZEN', () => {
  let url: string;
  const policies = policiesFrom(YAML);

  beforeEach(async () => {
    const server = await startPdpServer({
      policies: { current: policies },
      port: 0,
      host: '127.0.0.1',
      logger: silent,
    });
    stopLater(() => server.close());
    url = `http://127.0.0.1:${server.port}`;
  });
  afterEach(closeAll);

  async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  }

  test.each([[{}], [{ environment: { resourceFullPath: ['v2'] } }]])(
    'with rules that say the same as its decision: %j',
    async (more) => {
      const vendor = { ...VENDOR, ...more };
      const { text } = await post('/access/v1/evaluation', evaluation(vendor));
      const place = ['context', 'obligations', 0, 'properties', 'filter', 'rules'];
      const { rules } = filterIn(text);
      const question = questionOf({});
      const read = rulesOf(
        readRules(parseAnswer(Buffer.from(JSON.stringify(rules))), readingOf(question), place),
        question.settings,
      );
      const asked = {
        ...vendor,
        entityTypeId: 'Agent',
        entityId: 'jane',
        resourceTypes: [{ name: 'columns' }],
      };
      const decision = readDecisionValue(await ask(policies, asked), question.settings, [], NO_MASK_KEYS);
      expect(shapeOf(read)).toEqual(shapeOf(decision));
      expect(read.properties.length + read.filters.length).toBe(5);
    },
  );

  test.each([
    ['Agent', { policy: 'Own', action: 'FILTER' }],
    ['Clerk', { policy: 'Own', action: 'FILTER', effect: 'denied' }],
  ])(
    'for %s, with a filter, which removes all records if no filter is for the caller',
    async (type, filter) => {
      const asked = { ...evaluation(), subject: { type, id: 'x' }, resource: { type: 'accounts', id: 'x' } };
      const { rules } = filterIn((await post('/access/v1/evaluation', asked)).text);
      expect(
        rules.map(({ policy, action, effect }) => ({ policy, action, ...(effect && { effect }) })),
      ).toEqual(expect.arrayContaining([{ policy: 'Number', action: 'MASK' }, filter]));
      expect(rules).toHaveLength(2);
    },
  );

  test('several times at once, each evaluation with what it lacks from the request', async () => {
    const { subject, action, resource, context } = evaluation();
    const { status, text } = await post('/access/v1/evaluations', {
      subject,
      action,
      context,
      evaluations: [{ resource }, { resource, subject: { type: 'Manager', id: 'max' } }],
    });
    expect(status).toBe(200);
    const { evaluations }: { readonly evaluations: readonly unknown[] } = JSON.parse(text);
    const names = evaluations.map((one) => JSON.stringify(one).includes('Managers'));
    expect(names).toEqual([false, true]);
  });

  test('several times at once, about the records of the request if an evaluation names no others', async () => {
    const file = policiesFrom(`
policies:
  - { name: Own, assets: { type: accounts, ids: ['1'] }, action: FILTER }
  - { name: Number, properties: [number], action: MASK }`);
    const { subject, action } = evaluation();
    const request = { subject, action, resource: { type: 'accounts', id: 'columns' } };
    const several = { ...request, evaluations: [{}, { resource: { type: 'accounts', id: '2' } }] };
    const one = await evaluateOne(file, Buffer.from(JSON.stringify(request)), []);
    expect(one).toHaveProperty('decision', true);
    const answer = await evaluateSeveral(file, Buffer.from(JSON.stringify(several)), []);
    expect(answer).toEqual({ evaluations: [one, { decision: false }] });
  });

  test('several times at once, each evaluation with the rules of its own asset type', async () => {
    const file = policiesFrom(`
policies:
  - { name: Mask, properties: [ssn], action: MASK }
  - { name: Number, assetType: accounts, properties: [number], action: MASK }`);
    const resources = ['columns', 'accounts'].map((type) => ({ resource: { type, id: type } }));
    const body = { ...evaluation({}), evaluations: resources };
    const answer = await evaluateSeveral(file, Buffer.from(JSON.stringify(body)), []);
    const [columns, accounts] = Object(answer).evaluations;
    expect(filterIn(JSON.stringify(columns)).rules).toEqual([expect.objectContaining({ policy: 'Mask' })]);
    expect(filterIn(JSON.stringify(accounts)).rules).toEqual([expect.objectContaining({ policy: 'Number' })]);
  });

  test.each(['column', 'table'])(
    'with a condition on the names of properties as it is, though a mapper has a path for %s',
    async (attribute) => {
      const file = policiesFrom(`
mappers: { columns: { m: { column: c, table: t } } }
policies:
  - { name: Mask, properties: all, action: MASK, when: { attribute: ${attribute}, operator: EQUALS, values: [x] } }`);
      const body = evaluation({ environment: { resourceFullPath: ['m'] } });
      const answer = await evaluateOne(file, Buffer.from(JSON.stringify(body)), []);
      expect(filterIn(JSON.stringify(answer)).rules).toEqual([
        expect.objectContaining({ when: expect.objectContaining({ attribute }) }),
      ]);
    },
  );

  test('several times at once, and lets nobody in whose own scope is not right', async () => {
    const vendor = { ...VENDOR, clientSecret: 'other' };
    const body = { ...evaluation(), evaluations: [{}, { context: { vendor } }] };
    expect(await post('/access/v1/evaluations', body)).toHaveProperty('status', 401);
  });

  test('for all records alike if what removes them is not for records of their type', async () => {
    const file = policiesFrom(`
policies:
  - { name: Mask, assetType: Account, properties: [p], action: MASK }
  - { name: Own, for: { entityTypes: [Manager] }, action: FILTER, assets: { type: Account, ids: all } }
  - { name: Held, assetType: Account, for: { entityTypes: [Manager] }, effect: denied, action: FILTER }`);
    const { subject, action } = evaluation();
    const resources = ['a1', 'Account'].map((id) => ({ resource: { type: 'Account', id } }));
    const body = { subject, action, evaluations: resources };
    const answer = await evaluateSeveral(file, Buffer.from(JSON.stringify(body)), []);
    const [asset, records] = Object(answer).evaluations;
    expect(asset).toEqual({ decision: false });
    expect(filterIn(JSON.stringify(records)).rules).toEqual([expect.objectContaining({ policy: 'Mask' })]);
  });

  test('and takes no policy that removes records for one that allows some', async () => {
    const file = policiesFrom(`
policies:
  - { name: Mask, properties: [p], action: MASK }
  - { name: Held, for: { entityTypes: [Manager] }, effect: denied, action: FILTER }`);
    const answer = await evaluateSeveral(file, Buffer.from(JSON.stringify(evaluation({}))), []);
    expect(filterIn(JSON.stringify(answer)).rules).toEqual([expect.objectContaining({ policy: 'Mask' })]);
  });

  test.each([
    ['no evaluations', {}],
    ['an empty list of evaluations', { evaluations: [] }],
    ['an empty list and options', { evaluations: [], options: { evaluations_semantic: 'execute_all' } }],
  ])('several times at once, with %s as one evaluation', async (_case, more) => {
    const one = await post('/access/v1/evaluation', evaluation());
    expect(filterIn(one.text).rules).not.toEqual([]);
    expect(await post('/access/v1/evaluations', { ...evaluation(), ...more })).toEqual(one);
  });

  test.each([
    [{ subject: { type: 'A', id: 'j' }, action: { name: 'read' } }, '`resource` is required.'],
    [{ ...evaluation(), subject: { type: 'A' } }, '`subject.id` is required.'],
    [{ ...evaluation(), subject: { type: 'A', id: '' } }, '`subject.id` must not be empty.'],
    [{ ...evaluation(), subject: { type: 'A', id: 5 } }, '`subject.id` is not of the right type.'],
    [{ ...evaluation(), action: [] }, '`action` is not of the right type.'],
    [[], 'The body is not a JSON object.'],
  ])('and says what is wrong with the evaluation %#', async (body, problem) => {
    const { status, text } = await post('/access/v1/evaluation', body);
    expect([status, text]).toEqual([400, problem]);
  });

  test('and refuses an empty list of evaluations without what one evaluation needs', async () => {
    const { resource: _resource, ...rest } = evaluation();
    const { status, text } = await post('/access/v1/evaluations', { ...rest, evaluations: [] });
    expect([status, text]).toEqual([400, '`resource` is required.']);
  });

  describe('up to the decision that the semantic names', () => {
    const assets = policiesFrom(`
policies:
  - { name: Own, action: FILTER, assets: { type: Account, ids: [a1] } }`);

    test.each([
      [undefined, ['a1', 'a2', 'a1', 'a3'], [true, false, true, false]],
      ['execute_all', ['a1', 'a2', 'a1', 'a3'], [true, false, true, false]],
      ['execute_all', ['', 'a1'], [false, true]],
      ['deny_on_first_deny', ['a1', 'a2', 'a1', 'a3'], [true, false]],
      ['deny_on_first_deny', ['a1', 'a1'], [true, true]],
      ['permit_on_first_permit', ['a2', 'a3', 'a1', 'a1'], [false, false, true]],
      ['permit_on_first_permit', ['a2', 'a3'], [false, false]],
    ])('%s of %j', async (semantic, ids, expected) => {
      const body = {
        ...evaluation({}),
        resource: { type: 'Account', id: 'columns' },
        evaluations: ids.map((id) => ({ resource: { type: 'Account', id } })),
        ...(semantic !== undefined && { options: { evaluations_semantic: semantic } }),
      };
      const answer = await evaluateSeveral(assets, Buffer.from(JSON.stringify(body)), []);
      expect(answer).toMatchObject({ evaluations: expected.map((decision) => ({ decision })) });
    });

    test.each([
      ['execute_all', { name: 'PdpRefusal', status: 400 }],
      ['deny_on_first_deny', { evaluations: [{ decision: false }] }],
    ])('and makes none after it: %s', async (semantic, expected) => {
      const body = {
        ...evaluation({}),
        resource: { type: 'Account', id: 'columns' },
        evaluations: [
          { resource: { type: 'Account', id: 'a2' } },
          { resource: { type: 'Nothing', id: 'x' } },
        ],
        options: { evaluations_semantic: semantic },
      };
      const answer = evaluateSeveral(assets, Buffer.from(JSON.stringify(body)), []);
      expect(await answer.catch((error: unknown) => error)).toMatchObject(expected);
    });

    test.each([['deny_on_first'], [''], [null], [true]])('which must be known: %j', async (semantic) => {
      const { status, text } = await post('/access/v1/evaluations', {
        ...evaluation(),
        evaluations: [{}],
        options: { evaluations_semantic: semantic },
      });
      expect([status, text]).toEqual([
        400,
        '`options.evaluations_semantic` must be one of execute_all, deny_on_first_deny, permit_on_first_permit.',
      ]);
    });
  });

  describe('a thousand times at once', () => {
    const list = Array.from({ length: 1000 }, (_, at) => ({ resource: { type: 'Account', id: `a${at}` } }));
    const assets = policiesFrom(`
policies:
  - { name: All, action: FILTER, assets: { type: Account, ids: all } }
${Array.from({ length: 30 }, (_, at) => `  - { name: P${at}, properties: [p], action: MASK, when: { attribute: o, operator: EQUALS, values: ['\${entityId}'] } }`).join('\n')}`);

    function thousand(id: string, evaluations: readonly unknown[] = list): Buffer {
      const vendor = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`other${at}`, at]));
      const request = { ...evaluation(vendor), subject: { type: 'Agent', id } };
      const resource = { type: 'Account', id: 'columns' };
      return Buffer.from(JSON.stringify({ ...request, resource, evaluations }));
    }

    test('works out the rules of one user once', async () => {
      const answer = await evaluateSeveral(assets, thousand('jane'), []);
      const { evaluations } = Object(answer);
      expect(evaluations).toHaveLength(1000);
      expect(new Set(evaluations).size).toBe(1);
    });

    test('and does not take one user for another', async () => {
      const other = { subject: { type: 'Agent', id: 'max' } };
      const answer = await evaluateSeveral(assets, thousand('jane', [{}, other, {}, other]), []);
      const { evaluations } = Object(answer);
      expect(
        evaluations.map((one: unknown) => /"values":\["(\w+)"\]/u.exec(JSON.stringify(one))?.[1]),
      ).toEqual(['jane', 'max', 'jane', 'max']);
    });

    test('and refuses an answer that is too long', async () => {
      const answer = evaluateSeveral(assets, thousand('j'.repeat(4096)), []);
      await expect(answer).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('Ask for less at once'),
      });
    });

    test('and refuses one more', async () => {
      const answer = evaluateSeveral(assets, thousand('jane', [...list, {}]), []);
      await expect(answer).rejects.toMatchObject({
        status: 400,
        message: '`evaluations` must have at most 1000 elements.',
      });
    });

    test('and refuses a subject whose name is too long', async () => {
      const answer = evaluateSeveral(assets, thousand('j'.repeat(4097)), []);
      await expect(answer).rejects.toMatchObject({
        status: 400,
        message: '`subject.id` must have at most 4096 characters.',
      });
    });
  });

  test.each([
    ['/access/v1/evaluation', 200],
    ['/access/v1/evaluations', 200],
    ['/access/v1/nothing', 404],
  ])('and repeats the identifier of a request: %s', async (path, status) => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'bfe9eb29 \u00e9' };
    const body = JSON.stringify(evaluation());
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'bfe9eb29 \u00e9']);
    const without = await post(path, evaluation());
    expect(without.status).toBe(status);
  });

  test('and names the places', async () => {
    const answer = await fetch(`${url}/.well-known/authzen-configuration`);
    expect(await answer.json()).toEqual({
      policy_decision_point: url,
      access_evaluation_endpoint: `${url}/access/v1/evaluation`,
      access_evaluations_endpoint: `${url}/access/v1/evaluations`,
    });
  });

  test.each([
    ['a wrong secret', { vendor: { clientId: 'app', clientSecret: 'no' } }, 401],
    ['no subject', undefined, 400],
  ])('and refuses %s', async (_case, context, status) => {
    const body =
      context === undefined ? { resource: { type: 'columns', id: 'x' } } : { ...evaluation(), context };
    expect((await post('/access/v1/evaluation', body)).status).toBe(status);
  });

  test.each([
    ['an evaluation', '/access/v1/evaluation', '{"subject":{"type":"Agent","id":"jane"},"subject":1}'],
    ['a subject', '/access/v1/evaluation', '{"subject":{"type":"Agent","id":"jane","i\\u0064":"max"}}'],
    ['one of several evaluations', '/access/v1/evaluations', '{"evaluations":[{"action":1,"action":2}]}'],
  ])('and refuses a name that occurs twice in %s', async (_case, path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('A name occurs more than once in one object.');
  });

  test('and refuses a body that is no object', async () => {
    const { status, text } = await post('/access/v1/evaluation', [1]);
    expect([status, text]).toEqual([400, 'The body is not a JSON object.']);
  });

  test('to this service, which masks as it does with the protocol of the specification', async () => {
    const payload =
      '[{"id":1,"owner":"jane","ssn":"123456789","country":"US"},{"owner":"max","ssn":"1","country":"US"},{"country":"ES"}]';
    const body = enforcing(payload, { vendor: { ...VENDOR, entityTypeId: 'Agent', entityId: 'jane' } });
    const common = { pdpUrl: url, attrName: 'column', object: 'table', filter: true };
    const [authzen, resolution] = await Promise.all(
      ['authzen', 'resolution'].map(async (pdpProtocol) => {
        const { port } = await startService({ ...common, pdpProtocol });
        return (await call(port, { body })).text;
      }),
    );
    expect(authzen).toBe(resolution);
    expect(authzen).toContain('*****6789');
  });
});

function condition(one: unknown): unknown {
  return JSON.parse(
    JSON.stringify(one, (key, value) =>
      key === 'key' || key === 'operator' || key === 'test' ? undefined : value,
    ),
  );
}

/** Rules without the spelling of their conditions. */
function shapeOf({ properties, filters, maskShort }: ReturnType<typeof readDecisionValue>): unknown {
  return {
    properties: properties.map((rule) => ({
      policies: rule.policies,
      action: effectOf(rule.action, maskShort),
      about: condition(rule.about),
    })),
    filters: filters.map((rule) => ({
      policies: rule.policies,
      effect: rule.effect,
      condition: condition(rule.condition),
    })),
  };
}
