import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  ask,
  enforce,
  Series,
  intentFrom,
  type Intent,
  type Ports,
  type Question,
} from '../../src/enforcement/index.ts';
import { ServiceError } from '../../src/errors.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { decision, maskRule } from '../support/decision.ts';
import { CountingScheduler, passTime } from '../support/steps.ts';
import { portsOn, SETTINGS } from './ports.ts';

const MASK_SSN = Buffer.from(decision({ access: [maskRule('ssn')] }));
const MASK_ANY_SSN = Buffer.from(decision({ access: [maskRule('$..ssn')] }));

afterEach(() => void jest.restoreAllMocks());

/** A PDP that masks `ssn` unless it decides something else, and the questions that it was asked. */
function portsFor(asked: Question[] = [], refusal?: ServiceError, decided = MASK_SSN): Ports {
  return portsOn({
    decide(question) {
      asked.push(question);
      if (refusal) return Promise.reject(refusal);
      return Promise.resolve(decisionFrom(decided, question.settings, question.keys));
    },
  });
}

function intentOf(parameters?: string): Intent {
  return { ...intentFrom({ vendor: '{"entityId":"jane"}', parameters }, SETTINGS.maxDepth), headers: [] };
}

async function enforced(payload: string, intent: Intent, ports: Ports): Promise<string> {
  const { payload: chunks } = await enforce(Buffer.from(payload), intent, ports);
  return Buffer.concat(chunks).toString();
}

describe('an intent', () => {
  test('serves many payloads with one question if the PDP is asked ahead', async () => {
    const asked: Question[] = [];
    const ports = portsFor(asked);
    const intent = ask(intentOf(), ports);
    expect(asked).toHaveLength(1);
    expect(await enforced('{"ssn":"1"}', intent, ports)).toBe('{"ssn":"***"}');
    expect(await enforced('[{"ssn":"2"}]', intent, ports)).toBe('[{"ssn":"***"}]');
    expect(asked).toHaveLength(1);
  });

  test('whose decision is there is enforced at once', async () => {
    const intent = ask(intentOf(), portsFor());
    expect(intent.decided?.()).toBeUndefined();
    const decided = await intent.decision;
    expect(intent.decided?.()).toBe(decided);
    const series = decided && new Series(decided, intent, portsFor());
    const texts = ['{"ssn":"1"}', '{"json":{"ssn":"2"}}', '[{"ssn":"3"}]'].map((text) => {
      const result = series?.enforce(Buffer.from(text));
      return result && 'payload' in result ? Buffer.concat(result.payload).toString() : 'no answer';
    });
    expect(texts).toEqual(['{"ssn":"***"}', '{"json":{"ssn":"2"}}', '[{"ssn":"***"}]']);
  });

  test('is enforced on each payload as its root word names that', async () => {
    const decided = Buffer.from(decision({ access: [maskRule('rows.ssn')] }));
    const ports = { ...portsFor([], undefined, decided), settings: { ...SETTINGS, rootWord: 'rows' } };
    const intent = ask(intentOf(), ports);
    const known = await intent.decision;
    const series = known && new Series(known, intent, ports);
    const texts = ['{"rows":[{"ssn":"1"}]}', '{"ssn":"2"}', '[{"ssn":"3"}]', '{"rows":{"ssn":"4"}}'];
    const masked = texts.map((text) => {
      const result = series?.enforce(Buffer.from(text));
      return result && 'payload' in result ? Buffer.concat(result.payload).toString() : 'no answer';
    });
    expect(masked).toEqual(texts.map((text) => text.replace(/\d/u, '***')));
  });

  test('is not asked ahead in context mode, because the question names the assets of the payload', async () => {
    const asked: Question[] = [];
    const ports = portsFor(asked);
    const intent = ask(
      intentOf('{"calculationType":"context","assetId":"id","protectedObject":"customer"}'),
      ports,
    );
    expect(asked).toEqual([]);
    await enforced('{"id":"7"}', intent, ports);
    expect(asked).toMatchObject([{ assets: { type: 'customer', ids: ['7'] } }]);
  });

  test('keeps the refusal of a PDP that was asked ahead for the payload', async () => {
    const ports = portsFor([], new ServiceError('pdp-forbidden', 'No.'));
    const intent = ask(intentOf(), ports);
    await new Promise((resolve) => setImmediate(resolve));
    await expect(enforced('{}', intent, ports)).rejects.toMatchObject({ code: 'pdp-forbidden' });
  });

  test.each([
    [{ vendor: '[]' }, ['/vendor']],
    [{ vendor: '{' }, ['/vendor']],
    [{ vendor: '{"a":[[[[]]]]}' }, ['/vendor']],
    [{ vendor: '{}', parameters: '{"rot":"a","~/":1}' }, ['/parameters/rot', '/parameters/~0~1']],
    [{ vendor: '7', parameters: '{"filter":1}' }, ['/vendor', '/parameters/filter']],
  ])('is refused with every problem: %j', (texts, pointers) => {
    const read = () => intentFrom(texts, SETTINGS.maxDepth);
    const errors = pointers.map((pointer) => expect.objectContaining({ pointer }));
    expect(read).toThrow(expect.objectContaining({ code: 'request-invalid', errors }));
  });
});

describe('a payload', () => {
  test.each([
    ['{', 'body-not-json'],
    ['"text"', 'request-invalid'],
    ['[[[[[]]]]]', 'nesting-too-deep'],
  ])('is refused: %s', async (payload, code) => {
    await expect(enforced(payload, intentOf(), portsFor())).rejects.toMatchObject({ code });
  });

  test('reserves room for what is found in it before the PDP is asked, for its decision, and then for the answer', async () => {
    const events: string[] = [];
    const ports = portsFor();
    const room = { limit: Infinity, reserve: (bytes: number) => events.push(`${bytes}`) };
    const decide: Ports['pdp']['decide'] = (question) => {
      events.push('asked');
      return ports.pdp.decide(question);
    };
    const payload = `[${'[],'.repeat(20_000)}{"ssn":"1"}]`;
    const answer = await enforced(payload, intentOf(), { ...ports, pdp: { decide }, room });
    const [found, asked, decided, answered] = events;
    expect(Number(found)).toBeGreaterThan(payload.length);
    expect([asked, decided]).toEqual(['asked', `${MASK_SSN.length}`]);
    expect(Number(answered)).toBeGreaterThanOrEqual(answer.length);
  });

  test('reserves more room for the identifiers in it, before the PDP is asked about them', async () => {
    const events: unknown[] = [];
    const ports = portsFor();
    const room = { limit: Infinity, reserve: (bytes: number) => events.push(bytes) };
    const decide: Ports['pdp']['decide'] = (question) => {
      events.push(question.assets?.ids.length);
      return ports.pdp.decide(question);
    };
    const records = Array.from({ length: 5000 }, (_, id) => ({ id }));
    const intent = intentOf('{"calculationType":"context","assetId":"id","protectedObject":"customer"}');
    await enforced(JSON.stringify(records), intent, { ...ports, pdp: { decide }, room });
    const [found, withIds, asked] = events;
    expect(asked).toBe(records.length);
    expect(Number(withIds)).toBeGreaterThan(Number(found));
  });

  test('is not asked about if nobody wants the answer any more, and else can be given up', async () => {
    const asked: Question[] = [];
    const ports = portsFor(asked);
    const { signal } = new AbortController();
    await enforced('{"ssn":"1"}', intentOf(), { ...ports, signal });
    expect(asked[0]?.signal).toBe(signal);
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(enforced('{"ssn":"1"}', intentOf(), { ...ports, signal: gone })).rejects.toThrow('gone');
    expect(asked).toHaveLength(1);
  });

  test.each([0, 1, 2])('gets no answer if there is no room, at step %i', async (step) => {
    const asked: Question[] = [];
    const ports = portsFor(asked);
    let steps = 0;
    const reserve = (): void => {
      if (steps++ === step) throw new ServiceError('overloaded', 'No room.');
    };
    const room = { limit: Infinity, reserve };
    const refused = enforced(`[${'[],'.repeat(20_000)}{"ssn":"1"}]`, intentOf(), { ...ports, room });
    await expect(refused).rejects.toMatchObject({ code: 'overloaded' });
    expect(asked).toHaveLength(step === 0 ? 0 : 1);
  });

  const members = Array.from({ length: 20_000 }, (_, index) => `"n${index}":{"ssn":"1"}`).join(',');
  const elements = `{"ssn":"1"}${',{"ssn":"1"}'.repeat(20_000)}`;
  test.each([
    ['many records', `[${elements}]`],
    ['records in lists in lists', `[[],[[${elements}],{"ssn":"1"}],[${elements}]]`],
    ['many roots', `{${members}}`, '{"root":"n*"}'],
    ['one record of many properties', `{"a":{${members}},"ssn":"1"}`],
    ['one record with long lists', `{"a":[[${elements}]],"b":[${elements}],"ssn":"1"}`],
  ])('of %s is masked in steps, and no step begins after nobody wants the answer', async (...parts) => {
    const [, payload, parameters] = parts;
    passTime();
    const controller = new AbortController();
    const ports = { ...portsFor([], undefined, MASK_ANY_SSN), signal: controller.signal };
    const whole = new CountingScheduler();
    const masked = await enforced(payload, intentOf(parameters), { ...ports, scheduler: whole });
    // A difference would be megabytes.
    expect(masked === payload.replaceAll('"1"', '"***"')).toBe(true);
    expect(whole.steps).toBeGreaterThan(100);

    const aborted = new CountingScheduler(() => controller.abort(new Error('gone')));
    const failed = enforced(payload, intentOf(parameters), { ...ports, scheduler: aborted });
    await expect(failed).rejects.toThrow('gone');
    expect(aborted.steps).toBe(2);
  });
});

test.each([
  ['{"json":{"ssn":"1"},"ssn":"2"}', '{"json":{"ssn":"***"},"ssn":"2"}'],
  ['{"ssn":"1"}', '{"ssn":"***"}'],
])('the root json is a property if the payload has one, else the payload: %s', async (payload, expected) => {
  expect(await enforced(payload, intentOf('{"root":"json"}'), portsFor())).toBe(expected);
});

test('a small payload whose decision is known is masked in steps if it takes long', async () => {
  passTime();
  const elements = '{"ssn":"1"},'.repeat(1000);
  const payload = `[[${elements}{}],{"a":[${elements}{}]}]`;
  const decide = portsFor([], undefined, MASK_ANY_SSN);
  const asked = ask(intentOf(), decide);
  await asked.decision;
  const scheduler = new CountingScheduler();
  expect(await enforced(payload, asked, { ...decide, scheduler })).toBe(payload.replaceAll('"1"', '"***"'));
  expect(scheduler.steps).toBeGreaterThan(5);
});

test.each([
  [1, false],
  [2000, true],
])(
  'whether a small payload is masked in steps if the decision has %d rules: %s',
  async (rules, isInSteps) => {
    const access = Array.from({ length: rules }, (_, at) => maskRule(at === 0 ? 'ssn' : `property${at}`));
    const scheduler = new CountingScheduler();
    const ports = { ...portsFor([], undefined, Buffer.from(decision({ access }))), scheduler };
    expect(await enforced('{"ssn":"1"}', intentOf(), ports)).toBe('{"ssn":"***"}');
    expect(scheduler.steps > 0).toBe(isInSteps);
  },
);

test.each([
  ['rows', 'MASK', '{"rows":null}'],
  ['rows', 'remove()', '{}'],
  ['rows.#', 'MASK', '{"rows":[null,null,null]}'],
])('records are counted in lists that are changed as a whole: %s, %s', async (path, action, expected) => {
  const entry = { path, resourceType: 'columns', actions: [{ action }] };
  const ports = portsFor([], undefined, Buffer.from(decision({ access: [entry] })));
  const json = '{"rows":[{"a":1},2,[{"a":3},4]]}';
  const { payload, counts } = await enforce(Buffer.from(json), intentOf('{"root":"rows"}'), ports);
  expect(Buffer.concat([...payload]).toString()).toBe(expected);
  expect(counts.records).toBe(4);
});
