import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { closeAll } from '../../pdp/transport/setup.ts';
import { SECRET } from '../proxy/setup.ts';
import { startStreamPlaces, type SentStream, type StreamPlaces } from './stream-places.ts';

let places: StreamPlaces;

beforeAll(async () => {
  places = await startStreamPlaces();
});

afterAll(closeAll);

/** A part of a stream, and what its client gets; undefined if it cannot be enforced. */
interface Part {
  readonly written: string;
  readonly masked: string | undefined;
  /** What a client may get of it if it cannot be enforced. */
  readonly begun?: string;
}

interface Generated extends SentStream {
  readonly parts: readonly Part[];
}

/** What a client gets up to what it gets of the first part that cannot be enforced. */
function oracle(parts: readonly Part[]): { readonly text: string; readonly isWhole: boolean } {
  const broken = parts.findIndex(({ masked }) => masked === undefined);
  const good = broken < 0 ? parts : parts.slice(0, broken);
  const text = good.map(({ masked = '' }) => masked).join('');
  return { text: text + (parts[broken]?.begun ?? ''), isWhole: broken < 0 };
}

/** Records of a stream, each with a secret, in any form that JSON gives them on one line. */
const records = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id: fc.nat(), text: fc.string({ unit: 'grapheme' }) }) },
  { weight: 1, arbitrary: fc.record({ text: fc.string({ minLength: 3000, maxLength: 9000 }) }) },
);

const good: fc.Arbitrary<Part> = fc
  .tuple(records, fc.constantFrom('{}', '[{}]', '[ {},null]'))
  .map(([record, form]) => {
    const json = (ssn: string): string => form.replace('{}', () => JSON.stringify({ ...record, ssn }));
    return { written: json(SECRET), masked: json('***') };
  });

const broken: fc.Arbitrary<Part> = fc
  .constantFrom(
    `{"ssn":"${SECRET}"`,
    `"${SECRET}"`,
    SECRET,
    `{"ssn":"${SECRET}"}}`,
    '42',
    'nul',
    `{"a":"${'x'.repeat(2 ** 20)}"}`,
  )
  .map((written) => ({ written, masked: undefined }));

/** Most streams have no broken record. */
const contents = fc
  .tuple(fc.array(good, { maxLength: 12 }), fc.option(broken, { freq: 2 }), fc.array(good, { maxLength: 3 }))
  .map(([before, one, after]) => before.concat(one ?? [], after));

interface Framing {
  readonly before: string;
  readonly after: string;
  readonly begun?: string;
}

function framed(part: Part, before: string, after: string, gets: Framing = { before, after }): Part {
  const masked = part.masked === undefined ? undefined : gets.before + part.masked + gets.after;
  return { written: before + part.written + after, masked, begun: gets.begun ?? '' };
}

/** Parts that are no records. */
function plain(written: string, masked: string): Part {
  return { written, masked };
}

const ndjson = fc
  .tuple(contents, fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([all, end, isEnded, hasBlank]) => {
    const parts = all.map((one, index) => framed(one, '', index < all.length - 1 || isEnded ? end : ''));
    return {
      type: 'application/x-ndjson',
      parts: hasBlank ? [plain(end, '\n'), ...parts] : parts,
    };
  });

const sequences = fc.tuple(contents, fc.boolean(), fc.boolean()).map(([all, isEnded, hasEmpty]) => {
  const gets = { before: '\x1e', after: '\n' };
  const parts = all.map((one, index) =>
    framed(one, '\x1e', index < all.length - 1 || isEnded ? '\n' : '', gets),
  );
  return { type: 'application/json-seq', parts: hasEmpty ? [plain('\x1e\x1e', ''), ...parts] : parts };
});

const events = fc
  .tuple(contents, fc.constantFrom('\n', '\r\n', '\r'), fc.constantFrom('', '\ufeff'), fc.boolean())
  .map(([all, end, mark, isCutOff]) => {
    const ofEvents = all.flatMap((one, index) => [
      plain(`: ${SECRET}${end}`, ':\n'),
      framed(one, `event: e${end}id:${index}${end}${SECRET}: 1${end}data: `, end + end, {
        before: `event: e\nid:${index}\ndata: `,
        after: '\n\n',
        // Each line but data is sent when it is complete.
        begun: `event: e\nid:${index}\n`,
      }),
    ]);
    // Clients ignore an event without a blank line after it, and so nothing of it is sent.
    const rest = isCutOff ? [plain(`data: {"ssn":"${SECRET}"}${end}`, '')] : [];
    return { type: 'text/event-stream', parts: [plain(mark, ''), ...ofEvents, ...rest] };
  });

/** Cuts a text anywhere, between the bytes of a character and of a line end, too. */
function cutAt(text: string, at: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const cuts = [...new Set(at.map((one) => one % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

const streams: fc.Arbitrary<Generated> = fc
  .record({
    stream: fc.oneof(ndjson, sequences, events),
    cuts: fc.array(fc.nat(), { maxLength: 12 }),
    hasTrailers: fc.boolean(),
  })
  .map(({ stream: { type, parts }, cuts, hasTrailers }) => {
    const text = parts.map(({ written }) => written).join('');
    return { type, parts, chunks: cutAt(text, cuts), hasTrailers };
  });

/** What is wrong with a body that broke off: nothing if it is a problem document, or the beginning of the whole. */
function wrongIn(body: string, whole: string): string {
  return body.includes('urn:authz-jsonmasking:error:') || whole.startsWith(body) ? '' : body;
}

describe('a stream of records', () => {
  test.each(['proxy', 'duplex', 'buffered'] as const)(
    'arrives masked, or breaks off before the first record that cannot be enforced: %s',
    async (place) => {
      await fc.assert(
        fc.asyncProperty(streams, async ({ parts, ...sent }) => {
          const { body, isWhole } = await places[place](sent);
          const expected = oracle(parts);
          expect(body).not.toContain(SECRET);
          expect(isWhole).toBe(expected.isWhole);
          expect(isWhole ? body : wrongIn(body, expected.text)).toBe(isWhole ? expected.text : '');
        }),
        { numRuns: 100 },
      );
    },
  );
});
