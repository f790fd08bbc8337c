import { afterEach, expect, jest, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../../src/core/actions/mask-keys.ts';
import { scan } from '../../../src/core/index.ts';
import { ask, enforce, intentFrom, now } from '../../../src/enforcement/index.ts';
import { ServiceError } from '../../../src/errors.ts';
import { withDecisionCache } from '../../../src/pdp/middleware/cache/cache.ts';
import { pdpSpeaking } from '../../../src/pdp/protocol.ts';
import { decisionFrom, resolutionProtocol } from '../../../src/pdp/protocols/resolution/index.ts';
import { RecordStream } from '../../../src/places/answer/index.ts';
import { portsOn, SETTINGS } from '../../enforcement/ports.ts';
import { createPdpDouble } from '../../pdp/double.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { CountingScheduler, passTime, stopTime } from '../../support/steps.ts';

const CONTEXT = '{"calculationType":"context","assetId":"id","protectedObject":"customers"}';

afterEach(() => void jest.restoreAllMocks());

/** Masks properties of a stream of NDJSON whose records have so many bytes at most, and counts the steps. */
async function inSteps(path: string, bytes: number, body: string) {
  passTime();
  const scheduler = new CountingScheduler();
  const masks = decisionFrom(Buffer.from(decision({ access: [maskRule(path)] })), SETTINGS, NO_MASK_KEYS);
  const ports = { ...portsOn({ decide: () => Promise.resolve(masks) }), scheduler };
  const intent = ask({ ...intentFrom({ vendor: '{}' }, SETTINGS.maxDepth), headers: [] }, ports);
  const limit = { bytes, key: 'maxBody' };
  const framing = { format: 'ndjson', coding: undefined, limit, passesNonJson: false } as const;
  const stream = new RecordStream({ ...framing, intent, ports });
  let text = '';
  for await (const piece of stream.pieces([Buffer.from(body)])) text += piece.copy().toString();
  return { text, counts: stream.counts, steps: scheduler.steps };
}

test('a long record of a stream is masked in steps, as records after it are', async () => {
  const body = `{"a":[${'{"ssn":"1"},'.repeat(5000)}{}]}\n{"ssn":"1"}\n`;
  const { text, counts, steps } = await inSteps('$..ssn', 2 ** 22, body);
  expect(text).toBe(body.replaceAll('"1"', '"***"'));
  expect(counts).toMatchObject({ records: 2, masked: 5001 });
  expect(steps).toBeGreaterThan(10);
});

test('many short records of a stream are masked in turns, between which others have theirs', async () => {
  const body = '{"ssn":"1"}\n'.repeat(1000);
  const { text, steps } = await inSteps('ssn', 1000, body);
  expect(text).toBe(body.replaceAll('"1"', '"***"'));
  expect(steps).toBeGreaterThan(100);
});

test('the decision of a stream is as old as its question, however late the answer begins', async () => {
  const masks = decisionFrom(Buffer.from(decision({ access: [maskRule('ssn')] })), SETTINGS, NO_MASK_KEYS);
  const decide = jest.fn(() => Promise.resolve(masks));
  const ports = portsOn({ decide });
  const asked = ask({ ...intentFrom({ vendor: '{}' }, SETTINGS.maxDepth), headers: [] }, ports);
  const intent = { ...asked, askedAt: now() - 10_000 };
  const limit = { bytes: 1000, key: 'maxBody' };
  const framing = { format: 'ndjson', coding: undefined, limit, passesNonJson: false } as const;
  const stream = new RecordStream({ ...framing, intent, ports });
  for await (const piece of stream.pieces([Buffer.from('{"ssn":"1"}\n')]))
    expect(piece.copy().toString()).toBe('{"ssn":"***"}\n');
  expect(decide).toHaveBeenCalledTimes(2);
});

test.each([
  [0, 4999, false],
  [0, 5000, true],
  [60, 59_999, false],
  [60, 60_000, true],
])(
  'a decision that holds for %d seconds is asked for again for a record that comes after %d ms: %s',
  async (validForSeconds, pause, isAskedAgain) => {
    const setOn = stopTime();
    const decisions = ['a', 'b'].map((name) => {
      const body = Buffer.from(decision({ access: [maskRule(name)] }));
      const { rules, fingerprint } = decisionFrom(body, SETTINGS, NO_MASK_KEYS);
      return { rules, fingerprint, validForSeconds };
    });
    const decide = () => Promise.resolve(decisions.shift() ?? Promise.reject(new Error('a third question')));
    const ports = portsOn({ decide });
    const intent = ask({ ...intentFrom({ vendor: '{}' }, SETTINGS.maxDepth), headers: [] }, ports);
    const limit = { bytes: 1000, key: 'maxBody' };
    const framing = { format: 'ndjson', coding: undefined, limit, passesNonJson: false } as const;
    const stream = new RecordStream({ ...framing, intent, ports });
    let text = '';
    for await (const piece of stream.pieces(recordsApart(() => setOn(pause))))
      text += piece.copy().toString();
    const last = isAskedAgain ? '{"a":"1","b":"***"}' : '{"a":"***","b":"1"}';
    expect(text).toBe(`{"a":"***","b":"1"}\n${last}\n`);
  },
);

test.each([
  [10_000, 'one'],
  [10_001, 'two'],
] as const)(
  'a remembered decision is as old as the question that got it: %d ms after its 50 of 60 seconds, it is decision %s',
  async (pause, expected) => {
    const setOn = stopTime();
    const names = ['one', 'two'];
    const transport = createPdpDouble();
    transport.always(() => decision({ tokenValidity: 60, access: [maskRule(names.shift() ?? 'a third')] }));
    const url = new URL('http://pdp.example/');
    const cached = withDecisionCache(transport, { maxEntries: 9, maxBytes: 9999, maxAge: 99_999, now });
    const ports = portsOn(pdpSpeaking(resolutionProtocol({ resolution: url, token: url }), cached));
    const asked = { ...intentFrom({ vendor: '{}' }, SETTINGS.maxDepth), headers: [] };
    setOn(1000);
    await enforce(Buffer.from('{}'), asked, ports);
    setOn(50_000);
    const limit = { bytes: 1000, key: 'maxBody' };
    const framing = { format: 'ndjson', coding: undefined, limit, passesNonJson: false } as const;
    const stream = new RecordStream({ ...framing, intent: ask(asked, ports), ports });
    let text = '';
    for await (const piece of stream.pieces(recordsApart(() => setOn(pause), '{"one":"1","two":"1"}\n')))
      text += piece.copy().toString();
    const last = { one: '{"one":"***","two":"1"}', two: '{"one":"1","two":"***"}' }[expected];
    expect(text).toBe(`{"one":"***","two":"1"}\n${last}\n`);
  },
);

/** Two records. @param between is called before the second one */
async function* recordsApart(between: () => void, record = '{"a":"1","b":"1"}\n'): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(record));
  between();
  yield Buffer.from(record);
}

test.each([
  ['when the decision is asked for again', '{}', -10_000, 0, true],
  ['before each question in context mode', CONTEXT, 0, 0, true],
  ['not before that', '{}', 0, 0, false],
  ['not while the clock of the provider may differ by so much', '{}', -10_000, 60, false],
])('a stream ends once the token of its caller has expired: %s', async (...row) => {
  const [, parameters, age, clockTolerance, isEnded] = row;
  const masks = decisionFrom(Buffer.from(decision({ access: [maskRule('ssn')] })), SETTINGS, NO_MASK_KEYS);
  const ports = portsOn({ decide: () => Promise.resolve(masks) });
  const claims = scan(Buffer.from(`{"sub":"jane","exp":${Math.floor(Date.now() / 1000) - 1}}`), 4);
  const asked = ask(
    { ...intentFrom({ vendor: '{}', parameters }, SETTINGS.maxDepth), headers: [], claims },
    ports,
  );
  const intent = { ...asked, askedAt: now() + age };
  const limit = { bytes: 1000, key: 'maxBody' };
  const framing = { format: 'ndjson', coding: undefined, limit, passesNonJson: false } as const;
  const stream = new RecordStream({ ...framing, intent, clockTolerance, ports });
  let sent = 0;
  const sending = (async () => {
    for await (const piece of stream.pieces([Buffer.from('{"id":1,"ssn":"1"}\n')])) sent += piece.length;
  })();
  const challenge = await sending.then(
    () => undefined,
    (error: unknown) =>
      error instanceof ServiceError && error.code === 'token-refused' && error.headers['WWW-Authenticate'],
  );
  const expired = 'Bearer error="invalid_token", error_description="The token has expired."';
  expect([challenge, sent > 0]).toEqual(isEnded ? [expired, false] : [undefined, true]);
});

test('what has arrived of a record takes room', async () => {
  const reserve = jest.fn<(bytes: number) => void>();
  const room = { limit: 1000, reserve };
  const ports = { ...portsOn({ decide: () => Promise.reject(new Error('not asked')) }), room };
  const intent = { ...intentFrom({ vendor: '{}', parameters: CONTEXT }, SETTINGS.maxDepth), headers: [] };
  const limit = { bytes: 1000, key: 'maxBody' };
  const framing = { format: 'ndjson', coding: undefined, limit, passesNonJson: false } as const;
  const pieces = new RecordStream({ ...framing, intent, ports }).pieces([Buffer.from('\n{"ssn":')]);
  expect((await pieces.next()).done).toBe(false);
  await expect(pieces.next()).rejects.toThrow('cannot be enforced');
  expect(reserve.mock.calls).toContainEqual([7]);
});

test('text of many lines in context mode lets the event loop pass', async () => {
  passTime();
  const ports = portsOn({ decide: () => Promise.reject(new Error('not asked')) });
  const stream = new RecordStream({
    format: 'event-stream',
    coding: undefined,
    limit: { bytes: 2 ** 22, key: 'maxBody' },
    passesNonJson: true,
    intent: { ...intentFrom({ vendor: '{}', parameters: CONTEXT }, SETTINGS.maxDepth), headers: [] },
    ports,
  });
  const body = `${'data: {x}\n'.repeat(10_000)}\n`;
  let passes = 0;
  let isOver = false;
  const pass = (): void => {
    passes++;
    if (!isOver) setImmediate(pass);
  };
  setImmediate(pass);
  let text = '';
  for await (const piece of stream.pieces([Buffer.from(body)])) text += piece.copy().toString();
  isOver = true;
  expect(text).toBe(body);
  expect(passes).toBeGreaterThan(10);
});
