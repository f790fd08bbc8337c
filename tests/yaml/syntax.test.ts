import { expect, test } from '@jest/globals';
import { LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { syntaxProblems } from '../../src/yaml/syntax.ts';

test('whatever fails for want of room on the stack means that the text nests too deeply', () => {
  const lineCounter = new LineCounter();
  const text = 'a: 1\nb: [[[x]]]\n';
  const document = parseDocument(text, { lineCounter });
  const faults = [
    new YAMLParseError([11, 12], 'TAG_RESOLVE_FAILED', 'Maximum call stack size exceeded'),
    new YAMLParseError([10, 13], 'UNEXPECTED_TOKEN', 'Unexpected flow-seq-end'),
  ];
  expect(syntaxProblems(document, faults, text, lineCounter)).toEqual([
    { line: 2, key: '', message: 'The text nests too deeply.' },
  ]);
});
