import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonTree, memberText, type JsonNode } from '../../playground/src/json-tree.ts';

/** What a tree says of a text, as a value. */
function valueOf(text: string, { kind, from, to, children }: JsonNode): unknown {
  if (kind === 'scalar') return JSON.parse(text.slice(from, to));
  if (kind === 'array') return children.map(({ value }) => valueOf(text, value));
  return Object.fromEntries(children.map(({ key, value }) => [key, valueOf(text, value)]));
}

const json = fc.jsonValue();
const indentation = fc.constantFrom(undefined, 2, '\t');

describe('the tree of a JSON text', () => {
  test('has every value at its place', () => {
    fc.assert(
      fc.property(json, indentation, (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(valueOf(text, jsonTree(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('finds a member as it is written', () => {
    fc.assert(
      fc.property(json, json, indentation, (before, value, indent) => {
        const text = JSON.stringify({ before, value, after: 1 }, undefined, indent);
        expect(JSON.parse(memberText(text, 'value') ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
        expect(memberText(text, 'none')).toBeUndefined();
      }),
    );
    expect(memberText('{ "x": { "b": 1 }, "a": { "b": [2.0] } }', 'a', 'b')).toBe('[2.0]');
    expect(memberText('{ "\\u0061": 1 }', 'a')).toBe('1');
    expect(memberText('{ "a": 1.50, "b": [ "}", 1e400 ] }', 'b')).toBe('[ "}", 1e400 ]');
  });

  test.each(['', '{', '[1', '{"a" 1}', '[1 2]'])('is not made of %j', (text) => {
    expect(() => jsonTree(text)).toThrow(SyntaxError);
  });
});
