import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Change, Places, RecordReason } from '../../playground/src/explanation.ts';
import { mergedView } from '../../playground/src/merged-view.ts';

function change(pointer: string, effect: Change['effect']): Change {
  return { pointer, effect, rule: 0, lost: [] };
}

function removal(pointer: string): RecordReason {
  return { pointer, kept: false, because: [] };
}

function places(changes: readonly Change[] = [], records: readonly RecordReason[] = []): Places {
  return {
    changes: new Map(changes.map((one) => [one.pointer, one])),
    removedRecords: new Map(records.map((one) => [one.pointer, one])),
  };
}

/** The view with its marks in brackets; what is struck out in double ones. */
function drawn(payload: string, answer: string, at: Places): string {
  const { text, marks } = mergedView(payload, answer, at);
  const cuts = marks.flatMap(({ from, to, isRemoved }) => [
    { at: to, sign: isRemoved ? '⟧' : '⟩' },
    { at: from, sign: isRemoved ? '⟦' : '⟨' },
  ]);
  return cuts
    .toSorted((one, other) => other.at - one.at)
    .reduce((shown, cut) => shown.slice(0, cut.at) + cut.sign + shown.slice(cut.at), text);
}

describe('the view of a result', () => {
  test('marks what was masked and set, at its place in the payload', () => {
    const at = places([change('/a', 'masked'), change('/b/c', 'created')]);
    expect(drawn('{ "a": 1.50, "x": 2.0 }', '{ "a": null, "x": 2.0,"b":{"c":"new"} }', at)).toBe(
      '{ "a": ⟨null⟩, "x": 2.0,"b":{"c":⟨"new"⟩} }',
    );
  });

  test('puts removed records back in their places', () => {
    const payload = '[{ "id": 1 }, { "id": 2 }, { "id": 3 }]';
    expect(drawn(payload, '[{ "id": 2 }]', places([], [removal('/0'), removal('/2')]))).toBe(
      '[⟦{ "id": 1 }⟧, { "id": 2 }, ⟦{ "id": 3 }⟧]',
    );
  });

  test('finds the places of changes after removed records', () => {
    const at = places([change('/1/ssn', 'masked')], [removal('/0')]);
    expect(drawn('[{ "ssn": "1" }, { "ssn": "2" }]', '[{ "ssn": "***" }]', at)).toBe(
      '[⟦{ "ssn": "1" }⟧, { "ssn": ⟨"***"⟩ }]',
    );
  });

  test.each([
    ['[1, 2]', '[]', ['/0', '/1'], '[⟦1⟧, ⟦2⟧]'],
    ['{ "a": 1, "b": 2 }', '{ "b": 2 }', ['/a'], '{ ⟦"a": 1⟧, "b": 2 }'],
    ['{ "a": 1, "b": 2 }', '{ "a": 1 }', ['/b'], '{ "a": 1, ⟦"b": 2⟧ }'],
    ['{ "a": 1 }', '{}', ['/a'], '{ ⟦"a": 1⟧ }'],
  ])('strikes out what is removed from %s', (payload, answer, removed, expected) => {
    expect(drawn(payload, answer, places(removed.map((pointer) => change(pointer, 'removed'))))).toBe(
      expected,
    );
  });

  test('strikes out a payload that is removed as a whole', () => {
    expect(drawn('{ "a": 1 }', '{}', places([], [removal('')]))).toBe('⟦{ "a": 1 }⟧{}');
  });

  test('escapes names in pointers', () => {
    expect(drawn('{ "a/b~c": 1 }', '{ "a/b~c": null }', places([change('/a~1b~0c', 'masked')]))).toBe(
      '{ "a/b~c": ⟨null⟩ }',
    );
  });

  test('shows the answer alone if the explanation does not say which elements are gone', () => {
    expect(drawn('[1, 2, 3]', '[2]', places())).toBe('[2]');
  });

  test('shows every payload as it is if nothing was changed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indentation) => {
        const text = JSON.stringify([value], undefined, indentation);
        expect(mergedView(text, text, places())).toEqual({ text, marks: [] });
      }),
    );
  });

  test('contains all of the payload and all of the answer if records are removed', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.tuple(record, fc.boolean())), fc.nat(2), (records, indentation) => {
        const payload = JSON.stringify(
          records.map(([one]) => one),
          undefined,
          indentation,
        );
        const answer = JSON.stringify(
          records.flatMap(([one, isKept]) => (isKept ? [one] : [])),
          undefined,
          indentation,
        );
        const gone = records.flatMap(([, isKept], i) => (isKept ? [] : [removal(`/${i}`)]));
        const view = mergedView(payload, answer, places([], gone));
        expect(view.marks).toHaveLength(gone.length);
        expect(JSON.parse(view.text)).toEqual(JSON.parse(payload));
      }),
    );
  });
});
