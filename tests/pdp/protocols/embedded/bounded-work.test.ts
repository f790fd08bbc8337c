import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import { scan } from '../../../../src/core/index.ts';
import { AnswerLength } from '../../../../src/pdp/protocols/embedded/answer-length.ts';
import { decide } from '../../../../src/pdp/protocols/embedded/answer.ts';
import { isFor } from '../../../../src/pdp/protocols/embedded/audience.ts';
import { evaluateOne, evaluateSeveral } from '../../../../src/pdp/protocols/embedded/authzen.ts';
import type { Policy } from '../../../../src/pdp/policies/policy.ts';
import { QuestionBody } from '../../../../src/pdp/protocols/embedded/question-body.ts';
import { Room } from '../../../../src/room.ts';
import { Turns } from '../../../../src/pdp/protocols/embedded/turns.ts';
import { ask, policiesFrom } from './ask.ts';

/** How many of something there are: work for each pair of them would be ten thousand. */
const MANY = 100;

const NUMBERS = Array.from({ length: MANY }, (_value, at) => at);

/** A list, and how often something of it was read. */
function counted<T>(values: T[]): { readonly list: T[]; readonly reads: () => number } {
  let reads = 0;
  const list = new Proxy(values, {
    get(target, key) {
      reads++;
      return Reflect.get(target, key);
    },
  });
  return { list, reads: () => reads };
}

const POLICY: Policy = {
  name: 'P',
  assetType: 'columns',
  effect: 'allowed',
  action: { name: 'MASK' },
  metadata: {},
};

/** A policy file whose policies are about one asset type each, with a data mapper each. */
const TYPES = policiesFrom(
  JSON.stringify({
    mappers: Object.fromEntries(NUMBERS.map((at) => [`t${at}`, { [`m${at}`]: { a: 'b' } }])),
    policies: NUMBERS.map((at) => ({
      name: `P${at}`,
      assetType: `t${at}`,
      properties: ['a'],
      action: 'MASK',
    })),
  }),
);

describe('the embedded PDP takes time for the sum of what there is, and for no pairs:', () => {
  test.each([
    ['numbers', `${MANY + 0.5}`],
    ['texts', '"none"'],
  ])('claims with many %s, and policies with many values', (_kind, value) => {
    const claims = scan(Buffer.from(`{"g":[${NUMBERS.map(() => value).join(',')}]}`), 8);
    const { list, reads } = counted(NUMBERS.map(String));
    const policy = { ...POLICY, for: [{ claims: [{ claim: [{ name: 'g' }], values: list }] }] };
    expect(isFor(policy, { claims })).toBe(false);
    expect(reads()).toBeLessThan(4 * MANY);
  });

  test('asset types and data mappers of a question, and policies', async () => {
    const { list, reads } = counted(NUMBERS.map((at) => ({ name: `t${at}` })));
    const environment = { resourceFullPath: NUMBERS.map((at) => `m${at}`) };
    const question = { includeAssetAttributes: true, resourceTypes: list, environment };
    const { response } = await decide(TYPES, 'resolution', question, []);
    expect(response[0].access).toHaveLength(MANY);
    expect(response[0].access[0]?.attributes).toEqual({ column: ['b'] });
    expect(reads()).toBeLessThan(8 * MANY);
  });

  test('evaluations of assets, and the assets of a filter', async () => {
    const { list, reads } = counted(NUMBERS.map((at) => `a${at}`));
    const filter: Policy = { ...POLICY, action: { name: 'FILTER' }, assets: { type: 'acc', ids: list } };
    const evaluations = NUMBERS.map((at) => ({ resource: { type: 'acc', id: `other${at}` } }));
    const asked = { subject: { type: 'u', id: 'j' }, action: { name: 'read' }, evaluations };
    const file = { ...TYPES, policies: [filter] };
    const answer = await evaluateSeveral(file, Buffer.from(JSON.stringify(asked)), []);
    expect(answer).toEqual({ evaluations: NUMBERS.map(() => ({ decision: false })) });
    expect(reads()).toBeLessThan(16 * MANY);
  });
});

/** Policies whose conditions have all values that a token lists, and the token. */
function repeating(policies: number, listed: number) {
  const when = { attribute: 'team', operator: 'IN', values: ['${claims.teams}'] };
  const file = policiesFrom(
    JSON.stringify({
      trustUnverifiedClaims: true,
      policies: Array.from({ length: policies }, (_value, at) => ({
        name: `P${at}`,
        action: 'FILTER',
        when,
      })),
    }),
  );
  const claims = JSON.stringify({ teams: Array.from({ length: listed }, (_value, at) => at) });
  const authorization = `Bearer e30.${Buffer.from(claims).toString('base64url')}.`;
  return { file, headers: [['Authorization', authorization]] as const };
}

const TOO_MANY = 'The conditions of the answer would have more than 100000 values of claims.';

describe('the values of claims in the conditions of a decision', () => {
  test('may be a hundred thousand together', async () => {
    const { file, headers } = repeating(100, 1000);
    const answer = await ask(file, {}, { headers });
    expect(answer).toHaveProperty('response.0.privileges.allowed.length', 100);
  });

  test('are refused if they are more', async () => {
    const { file, headers } = repeating(101, 1000);
    const answer = ask(file, {}, { headers });
    await expect(answer).rejects.toMatchObject({ code: 'pdp-failed', callerDetail: TOO_MANY });
  });

  test('are refused in the rules of AuthZEN, too', async () => {
    const { file, headers } = repeating(101, 1000);
    const asked = {
      subject: { type: 'u', id: 'j' },
      action: { name: 'read' },
      resource: { type: 'columns', id: 'columns' },
    };
    const answer = evaluateOne(file, Buffer.from(JSON.stringify(asked)), headers);
    await expect(answer).rejects.toMatchObject({ status: 400, message: TOO_MANY });
  });
});

test('evaluations that are denied are refused if it takes too many rules to find that, as those that are permitted', async () => {
  const listed = { type: 'acc', ids: ['a0'] };
  const long = { name: 'SET', value: 'x'.repeat(1024 * 1024) };
  const policies = [
    { name: 'Long', assetType: 'acc', properties: ['a'], action: long },
    { name: 'Some', assets: listed, action: 'FILTER' },
  ];
  const file = policiesFrom(JSON.stringify({ policies }));
  const denials = async (count: number): Promise<unknown> => {
    const evaluations = NUMBERS.slice(0, count).map((at) => ({ subject: { type: 'u', id: `u${at}` } }));
    const asked = { action: { name: 'read' }, resource: { type: 'acc', id: 'a1' }, evaluations };
    return evaluateSeveral(file, Buffer.from(JSON.stringify(asked)), []);
  };
  expect(await denials(10)).toEqual({
    evaluations: NUMBERS.slice(0, 10).map(() => ({ decision: false })),
  });
  await expect(denials(MANY)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('The rules that decide the evaluations'),
  });
});

/** A question with an evaluation for each of some users. */
function evaluationsOf(users: readonly string[]): Buffer {
  const evaluations = users.map((id) => ({ subject: { type: 'u', id } }));
  const resource = { type: 't1', id: 't1' };
  return Buffer.from(JSON.stringify({ action: { name: 'read' }, resource, evaluations }));
}

describe('answers that are written or sent at the same time', () => {
  test('share the room of a server from their first evaluation on, and give it back', async () => {
    const room = new Room(300);
    const one = new AnswerLength(room);
    const other = new AnswerLength(room);
    await evaluateSeveral(TYPES, evaluationsOf(['a']), [], one);
    const refused = { status: 503, message: 'Too many long answers are sent at once.' };
    await expect(evaluateSeveral(TYPES, evaluationsOf(['b', 'c']), [], other)).rejects.toMatchObject(refused);
    other.close();
    one.close();
    await evaluateSeveral(TYPES, evaluationsOf(['d']), [], other);
    other.close();
    expect(room.take(300)).toBe(true);
  });

  test('are measured only until they are too long', async () => {
    const assets = { type: 'A', ids: 'all' };
    const policies = NUMBERS.map((at) => ({ name: `P${at}`, assets, properties: ['v'], action: 'MASK' }));
    const file = policiesFrom(JSON.stringify({ policies }));
    const assetList = NUMBERS.map((at) => ({ template: 'A', path: `a${at}` }));
    const answer = new AnswerLength(new Room(100 * MANY));
    const measured = jest.spyOn(answer, 'add');
    const asked = decide(file, 'context', { resourceTypes: [{ name: 'A' }], assetList }, [], answer);
    await expect(asked).rejects.toMatchObject({ status: 503 });
    expect(measured.mock.calls.length).toBeLessThan(4);
  });

  test('are decided one after the other, and others have their turns between them', async () => {
    const turns = new Turns();
    const order: string[] = [];
    await Promise.all(
      ['first', 'second', 'third'].map(async (question) => {
        await turns.next();
        order.push(question);
        setImmediate(() => order.push('other'));
      }),
    );
    expect(order).toEqual(['first', 'other', 'second', 'other', 'third']);
  });
});

test('questions take room before any of their bodies arrives, as many may be sent ahead', async () => {
  const room = new Room(2 * 1024);
  const bodies = NUMBERS.slice(0, 3).map(() => new QuestionBody(room));
  const [one, two, three] = bodies.map((body) => {
    const request = new IncomingMessage(new Socket());
    const read = body.read(request);
    request.push('{}');
    request.push(null);
    return read;
  });
  expect(await Promise.all([one, two, three])).toEqual([Buffer.from('{}'), Buffer.from('{}'), 'no room']);
  for (const body of bodies) body.close();
  expect(room.take(2 * 1024)).toBe(true);
});
