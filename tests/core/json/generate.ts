import * as fc from 'fast-check';

/** Spaces as RFC 8259 allows them, mostly none. */
const space = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 }) },
);

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.constantFrom('0', '-0', '-0.0', '0e0', '1.10', '1e400', '-1E-400', '0.1e+07', '9007199254740993'),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.stringMatching(/^(?:0|[1-9]\d{0,30})$/),
      fc.stringMatching(/^(?:\.\d{1,20})?$/),
      fc.stringMatching(/^(?:[eE][+-]?\d{1,4})?$/),
    )
    .map((parts) => parts.join('')),
);

/** A piece of a string as it stands between the quotes. */
const stringPiece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom(
    '\\"',
    '\\\\',
    '\\/',
    '\\b',
    '\\f',
    '\\n',
    '\\r',
    '\\t',
    '/',
    '\u007f',
    '\u2028',
    '\ufeff',
    '😀',
  ),
  fc.constantFrom('\\u0000', '\\u002F', '\\uD83D\\uDE00', '\\ud800', '\\uDFFF', '\\u00e4'),
  fc.stringMatching(/^\\u[\da-fA-F]{4}$/),
);
const stringText = fc.array(stringPiece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`);

/** Names that stand twice, that look like indexes and that mean something to JavaScript. */
const nameText = fc.oneof(
  fc.constantFrom(
    '"a"',
    '"b"',
    '"\\u0061"',
    '"0"',
    '"10"',
    '""',
    '"__proto__"',
    '"constructor"',
    '"toString"',
  ),
  stringText,
);

function separated(items: readonly string[], open: string, close: string): string {
  return `${open}${items.join(',')}${close}`;
}

/** JSON texts of every kind, in odd spellings. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string; spaced: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(numberText, stringText, fc.constantFrom('true', 'false', 'null')),
    fc.array(tie('spaced'), { maxLength: 5 }).map((items) => separated(items, '[', ']')),
    fc
      .array(
        fc
          .tuple(space, nameText, space, tie('spaced'))
          .map(([before, name, after, value]) => `${before}${name}${after}:${value}`),
        { maxLength: 5 },
      )
      .map((members) => separated(members, '{', '}')),
    space.map((inside) => `[${inside}]`),
    space.map((inside) => `{${inside}}`),
  ),
  spaced: fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
})).spaced;

/** What a JSON text is made of, and what only looks like it. */
const token = fc.constantFrom(
  ...'{}[],:"\\ \t\n\u000b\u00a0\ufeff0123456789.-+eEuntrflsax/\'#'.split(''),
  'true',
  'false',
  'null',
  '"a"',
  '\\u',
  'NaN',
  'Infinity',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u0085',
  'é',
  '😀',
);

/** Texts of such tokens: now and then JSON, mostly nearly. */
const tokens = fc.array(token, { maxLength: 12 }).map((parts) => Buffer.from(parts.join('')));

interface Mutation {
  readonly kind: 'delete' | 'insert' | 'replace' | 'repeat' | 'truncate';
  /** Where, from 0 at the start to 1 at the end. */
  readonly at: number;
  readonly text: Buffer;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('delete', 'insert', 'replace', 'repeat', 'truncate'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  text: fc.oneof(
    token.map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
  ),
});

function mutated(bytes: Buffer, { kind, at, text }: Mutation): Buffer {
  const place = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, place);
  switch (kind) {
    case 'delete':
      return Buffer.concat([before, bytes.subarray(place + 1)]);
    case 'insert':
      return Buffer.concat([before, text, bytes.subarray(place)]);
    case 'replace':
      return Buffer.concat([before, text, bytes.subarray(place + 1)]);
    case 'repeat':
      return Buffer.concat([before, bytes.subarray(place, place + 1), bytes.subarray(place)]);
    case 'truncate':
      return before;
  }
}

/** Bytes that are JSON, were JSON until something happened to them, or never were. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
  jsonText.map((text) => Buffer.from(text)),
  fc
    .tuple(jsonText, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([text, mutations]) => mutations.reduce(mutated, Buffer.from(text))),
  tokens,
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);
