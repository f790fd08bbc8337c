import { describe, expect, test } from '@jest/globals';
import {
  ask,
  enforce,
  Series,
  intentFrom,
  EventLoopScheduler,
  type Intent,
  type Ports,
  type Question,
} from '../../src/enforcement/index.ts';
import { ServiceError } from '../../src/errors.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { decision, maskRule } from '../support/decision.ts';
import { portsOn, SETTINGS } from './ports.ts';

const MASK_SSN = Buffer.from(decision({ access: [maskRule('ssn')] }));

/** A PDP that masks `ssn`, and the questions that it was asked. */
function portsFor(asked: Question[] = [], refusal?: ServiceError): Ports {
  return portsOn({
    decide(question) {
      asked.push(question);
      if (refusal) return Promise.reject(refusal);
      return Promise.resolve(decisionFrom(MASK_SSN, question.settings, question.keys));
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
    const texts = ['{"ssn":"1"}', '{"json":{"ssn":"2"}}', '[{"ssn":"3"}]'].map((text) =>
      Buffer.concat(series?.enforce(Buffer.from(text)).payload ?? []).toString(),
    );
    expect(texts).toEqual(['{"ssn":"***"}', '{"json":{"ssn":"2"}}', '[{"ssn":"***"}]']);
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

  test('of many records is masked in steps; no step begins after nobody wants the answer', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const payload = `[${'{"ssn":"1"},'.repeat(50_000)}{}]`;
    const whole = new CountingScheduler();
    const masked = await enforced(payload, intentOf(), { ...portsFor(), scheduler: whole, signal });
    expect(masked).toBe(payload.replaceAll('"1"', '"***"'));
    expect(whole.steps).toBeGreaterThan(10);

    const aborted = new CountingScheduler(() => controller.abort(new Error('gone')));
    const failed = enforced(payload, intentOf(), { ...portsFor(), scheduler: aborted, signal });
    await expect(failed).rejects.toThrow('gone');
    expect(aborted.steps).toBe(2);
  });
});

/** Counts the steps of tasks. */
class CountingScheduler extends EventLoopScheduler {
  steps = 0;
  readonly #afterStep: () => void;

  constructor(afterStep = (): void => undefined) {
    super();
    this.#afterStep = afterStep;
  }

  override runInSteps<T>(size: number, task: Iterator<undefined, T>): Promise<T> {
    const next = (): IteratorResult<undefined, T> => {
      this.steps++;
      const step = task.next();
      this.#afterStep();
      return step;
    };
    return super.runInSteps(size, { next });
  }
}
