import * as fc from 'fast-check';

type Mangling = (bytes: Buffer) => Buffer;

/** Places as parts of a length, so that they fit whatever is mangled. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** What has meaning somewhere in a request. */
const TELLING = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\0',
  '\ufeff',
  '\u2028',
  '\ud800',
  'null',
  '1e999',
  '-0',
].concat([
  '"json":',
  '"__proto__":',
  '{"a":',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '$',
  '.',
  '#',
  '*',
  'MASK',
  'FILTER',
  '9'.repeat(40),
]);
const inserted = fc.oneof(
  fc.constantFrom(...TELLING).map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
);

const mangling: fc.Arbitrary<Mangling> = fc.oneof(
  fc.tuple(place, inserted).map(
    ([at, bytes]): Mangling =>
      (all) =>
        splice(all, at, 0, bytes),
  ),
  fc.tuple(place, inserted).map(
    ([at, bytes]): Mangling =>
      (all) =>
        splice(all, at, bytes.length, bytes),
  ),
  fc.tuple(place, fc.nat({ max: 20 })).map(
    ([at, count]): Mangling =>
      (all) =>
        splice(all, at, count, Buffer.alloc(0)),
  ),
  place.map(
    (at): Mangling =>
      (all) =>
        all.subarray(0, index(all, at)),
  ),
  fc.tuple(place, place, place).map(
    ([at, from, to]): Mangling =>
      (all) =>
        splice(all, at, 0, part(all, from, to)),
  ),
  fc.tuple(place, fc.nat({ max: 7 })).map(
    ([at, bit]): Mangling =>
      (all) =>
        flipped(all, index(all, at), bit),
  ),
);

/** Bytes in which one thing or several are not as they should be. */
export function mangled(original: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(original, fc.array(mangling, { minLength: 1, maxLength: 4 }))
    .map(([bytes, manglings]) => manglings.reduce((some, mangle) => mangle(some), bytes));
}

function index(all: Buffer, at: number): number {
  return Math.floor(at * (all.length + 1));
}

function splice(all: Buffer, at: number, count: number, bytes: Buffer): Buffer {
  const start = index(all, at);
  return Buffer.concat([all.subarray(0, start), bytes, all.subarray(start + count)]);
}

function part(all: Buffer, from: number, to: number): Buffer {
  const [start, stop] = [index(all, from), index(all, to)].toSorted((a, b) => a - b);
  return all.subarray(start, Math.min(stop ?? 0, (start ?? 0) + 200));
}

function flipped(all: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(all);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}
