import * as fc from 'fast-check';
import { question } from '../../transport/setup.ts';
import type { Call, HeaderFields } from '../../../../src/pdp/port.ts';

/** What tells one request from another, as docs/asking-the-pdp.md lists it. */
export const PER_REQUEST = [
  'b3',
  'traceparent',
  'tracestate',
  'x-b3-flags',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-spanid',
  'x-b3-traceid',
  'x-correlation-id',
  'x-request-id',
] as const;

export function isNoise(name: string): boolean {
  return PER_REQUEST.some((one) => one === name.toLowerCase());
}

/** Fields that differ from request to request. */
export const noise: fc.Arbitrary<HeaderFields> = fc.array(
  fc.tuple(
    fc.mixedCase(fc.constantFrom(...PER_REQUEST)),
    fc.string({ unit: fc.constantFrom('a', '0', '-'), maxLength: 4 }),
  ),
  { maxLength: 3 },
);

/** Few characters, so that what is put together in another way often looks the same. */
const piece = fc.string({ unit: fc.constantFrom('a', '"', ',', '[', ']', ':', '\\'), maxLength: 3 });
const name = fc.constantFrom('authorization', 'Authorization', 'cookie', 'baggage', 'x-user', 'x-user2', 'x');
const field = fc.tuple(name, piece);

const message = fc.record({
  url: fc.constantFrom(new URL('http://pdp/a'), new URL('http://pdp/b')),
  accept: fc.option(piece, { nil: undefined }),
  body: piece.map((text) => Buffer.from(text)),
});

const anyQuestion: fc.Arbitrary<Call> = fc
  .record({
    calculationType: fc.constantFrom('resolution' as const, 'context' as const),
    headers: fc.array(field, { maxLength: 3 }),
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
  })
  .map((parts) => Object.assign(question(), parts));

/** Questions no two of which send the same. */
export const differentQuestions: fc.Arbitrary<Call[]> = fc.uniqueArray(anyQuestion, {
  minLength: 2,
  maxLength: 5,
  selector: ({ calculationType, headers, messages }) =>
    JSON.stringify({
      calculationType,
      headers,
      messages: messages.map(({ url, accept = null, body }) => [url, accept, body]),
    }),
});
