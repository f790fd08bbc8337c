import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readSource, readYaml, type Problem } from '../../src/yaml/index.ts';

function ofConfiguration(text: string): readonly Problem[] {
  return readYaml(text).problems;
}

function ofPolicyFile(text: string): readonly Problem[] {
  const source = readSource(text);
  return 'problems' in source ? source.problems : [];
}

/** What both readers have in common. */
const READERS = [
  ['a configuration', ofConfiguration],
  ['a policy file', ofPolicyFile],
] as const;

function messagesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

const LOST_VALUE = 'A key that begins with "? " has a value without a colon; write "key: value".';
const DIRECTIVE = 'A line that begins with % is not allowed, except for %YAML 1.2.';
const NO_KEY = 'A key is missing before a colon; write "key: value", and an empty key in quotes.';
const LONE_RETURN = 'A carriage return ends no line without a line feed; end lines with LF or CRLF.';

function unfit(code: string): string {
  return `The character U+${code} is not allowed; in double quotes, it is written \\u${code}.`;
}

describe.each(READERS)('what the parser would lose or change in %s is refused:', (_, problemsOf) => {
  test.each([
    ['a: b\n? "filter" "on"\nc: d\n', `2: ${LOST_VALUE}`],
    ['? "filter" "on"\n', `1: ${LOST_VALUE}`],
    ["? 'a'\n 1\nb: c\n", `2: ${LOST_VALUE}`],
    ['? "a"? [{ b: c }]\n', `1: ${LOST_VALUE}`],
    ['a:\n  - ? "a" "b"\n    c: d\n', `2: ${LOST_VALUE}`],
    ['? "a" []\n', `1: ${LOST_VALUE}`],
    ['? "a" |\n  b\n', `1: ${LOST_VALUE}`],
    ['%YAML 1.1\n---\na: yes\n', `1: ${DIRECTIVE}`],
    ['%FOO a: b\n---\nc: d\n', `1: ${DIRECTIVE}`],
    ['%TAG ! x\n---\na: b\n', `1: ${DIRECTIVE}`],
    ['a: b\n...\n%YAML 1.1\n', `3: ${DIRECTIVE}`],
    ['a: [b]: c\n', `1: ${NO_KEY}`],
    ['a: b\n: c\n', `2: ${NO_KEY}`],
    ['a: { : c }\n', `1: ${NO_KEY}`],
  ])('%j', (text, message) => {
    expect(messagesOf(problemsOf(text))).toEqual([message]);
  });

  test.each([
    ['a: b # c\rfilter: true\n', `1: ${LONE_RETURN}`],
    ['a: b\r', `1: ${LONE_RETURN}`],
    ['# c\na: b # c\u2028filter: true\n', `2: ${unfit('2028')}`],
    ['# c\u2029a: b\n', `1: ${unfit('2029')}`],
    ['# c\u0085a: b\n', `1: ${unfit('0085')}`],
    ['a: b\0\n', `1: ${unfit('0000')}`],
    ['a: "\u001F"\n', `1: ${unfit('001F')}`],
    ['a: b\n\uFEFFc: d\n', `2: ${unfit('FEFF')}`],
    ['a: b\n\uFEFF', `2: ${unfit('FEFF')}`],
    ['a: \uD800\n', `1: ${unfit('D800')}`],
    ['a: \0\0\nb: \0\n', `1: ${unfit('0000')},2: ${unfit('0000')}`],
  ])('a character that no line ends with for all: %j', (text, messages) => {
    expect(messagesOf(problemsOf(text)).join(',')).toBe(messages);
  });

  test.each(['a: b\n\u00A0\n', 'a: b\n\u00A0#c\n', '? b\n|  # c\n: d\n', '\u3000\na: b\n'])(
    'a line that no problem was found for: %j',
    (text) => {
      expect(problemsOf(text)).not.toEqual([]);
    },
  );
});

describe.each(READERS)('a quote within quotes does not close them in %s:', (_, problemsOf) => {
  test.each([
    ["a: 'it''\nb: c\n", "1: The text in quotes is not closed; ' is missing."],
    ["a: 'it''", "1: The text in quotes is not closed; ' is missing."],
    ["a: '''", "1: The text in quotes is not closed; ' is missing."],
    ['a: "\\"', '1: The text in quotes is not closed; " is missing.'],
    ["a: '''\nb: c\n", "1: The text in quotes is not closed; ' is missing."],
    ['a: "b\\"\nc: d\n', '1: The text in quotes is not closed; " is missing.'],
    ['a: "b\\\\\\"', '1: The text in quotes is not closed; " is missing.'],
    ['"a\\"\n: b\n', '1: The text in quotes is not closed; " is missing.'],
  ])('%j', (text, message) => {
    expect(messagesOf(problemsOf(text))).toContain(message);
  });

  test.each(["a: ''\nb: ''''\nc: 'd'''\ne: 'it''s'\n", 'a: ""\nb: "\\""\nc: "d\\\\"\n', "a: b\"\nc: d''\n"])(
    'but those of %j are closed',
    (text) => {
      expect(problemsOf(text)).toEqual([]);
    },
  );
});

test('a key that goes over several lines is refused in a policy file, as a comma is missing most often', () => {
  expect(messagesOf(ofPolicyFile('a: { b: c, ssn\n  name: d }\n'))).toEqual([
    '1: A key goes over several lines; put a comma after each element of a map in braces.',
  ]);
});

describe.each(READERS)('what nothing is lost of is read in %s:', (_, problemsOf) => {
  test.each([
    '\uFEFFa: b\r\nc: d\r\n',
    '%YAML 1.2 # the usual version\n---\na: b\n',
    'a: "?"\nb: x?\nc: "%"\n?d: e\n?: f\n',
    '"": a\n',
    'a: "\\u2028\\uFEFF"\n',
    'a: |\n  ? b\n  % c\n',
    'a:\tb\n',
    "a: '? b'\n",
    '? a\n: b\n? c d\n? |-\n  e\n  f\n: - g\n',
    'a: { ? b c, ? d : e }\n',
    'a:\n  ? a long key that\n    Helm folds\n  : b\n',
  ])('%j', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

const words = fc.integer({ min: 100, max: 999 }).map((number) => `w${number}`);
const pieces = fc.oneof(
  words,
  words.map((word) => `"${word}"`),
  words.map((word) => `'${word}'`),
  words.map((word) => `${word}: `),
  words.map((word) => `\n${word}: `),
  fc.constantFrom(
    '? ',
    ': ',
    ':',
    '- ',
    ' ',
    '\n',
    '\n  ',
    '\n? ',
    '\n: ',
    '\n- ',
    '\n  - ',
    ', ',
    '\t',
    '\r',
  ),
  fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    '|',
    '>-',
    '|2',
    '\n%',
    '---',
    '\n...\n',
    ' # ',
    '#',
    '\uFEFF',
    '\u2028',
  ),
);
const texts = fc.array(pieces, { minLength: 1, maxLength: 14 }).map((some) => some.join(''));

/** The words that no reading can take for those of a comment. */
function wordsOutsideComments(text: string): readonly string[] {
  return text.replaceAll(/(?:^|[\s,[{])#[^\n\r\u2028]*/gu, '').match(/w\d{3}/gu) ?? [];
}

test('every word of a text that is accepted is in what was read', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const all = wordsOutsideComments(text);
      const configuration = readYaml(text);
      const source = readSource(text);
      const read = [
        ...(configuration.sound && configuration.problems.length === 0 ? [configuration.values] : []),
        ...('problems' in source ? [] : [source.data]),
      ].map((values) => JSON.stringify(values, (_, value: unknown) => value ?? null));
      expect(read.filter((json) => all.some((word) => !json.includes(word)))).toEqual([]);
    }),
    { numRuns: 5000 },
  );
});
