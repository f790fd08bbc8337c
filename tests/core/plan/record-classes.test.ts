import { expect, test } from '@jest/globals';
import { TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { NO_CLASS } from '../../../src/core/plan/record-class.ts';
import { RecordConditions } from '../../../src/core/plan/record-condition.ts';
import { RecordViews, Subject } from '../../../src/core/plan/record.ts';
import { recordsAt } from '../../../src/core/records.ts';
import { RootList } from '../../../src/core/roots.ts';
import { leaf, list } from './leaf.ts';

const RECORDS = 1000;

/** In how many classes the records of a payload are, each of which is in no class counted as one of its own. */
function countClasses(json: string, attributes: readonly string[]): number {
  const doc = scan(Buffer.from(json), 10);
  const conditions = new RecordConditions({ isJsonNamed: true, rootWord: undefined }, () => []);
  for (const attribute of attributes) conditions.compile(leaf(attribute));
  const subject = new Subject(doc, TOP, RootList.ofPayload(TOP));
  subject.conditions = conditions;
  const views = new RecordViews(subject, undefined, false);
  const classes = Array.from(recordsAt(doc, TOP), (record) => views.of(record, 0).like);
  const sorted = classes.filter((like) => like !== NO_CLASS);
  return new Set(sorted).size + classes.length - sorted.length;
}

test.each([
  ['a union of names', ["$['a','b'].c"]],
  ['a slice', ['$[5:].a']],
  ['slices by steps', ['$[::2].a', '$[1::3].a']],
  ['indexes anywhere', ['$..[0].a', '$..[7].b']],
  ['elements of nested lists', ['#.#.a']],
])('elements to which %s leads alike share their classes', (_name, attributes) => {
  expect(
    countClasses(
      list(RECORDS, (index) => `{"a":${index},"d":1}`),
      attributes,
    ),
  ).toBeLessThan(40);
  expect(
    countClasses(
      list(RECORDS, () => '[{"a":1},[{"a":2}]]'),
      attributes,
    ),
  ).toBeLessThan(80);
});

test('records that no path tells apart share a class after more others than are known at a time', () => {
  const attributes = Array.from({ length: 400 }, (_, index) => `${index}.a`);
  expect(
    countClasses(
      list(4 * RECORDS, () => '["","",""]'),
      attributes,
    ),
  ).toBeLessThan(RECORDS);
});

test.each([
  ['an object', '{"e":INDEX}'],
  ['a scalar', 'INDEX'],
  ['a list of objects', '[{"e":INDEX},{"e":1}]'],
  ['a list of lists', '[[INDEX],[]]'],
])('records that differ in %s of which other parts are read are in one class', (_name, value) => {
  const json = list(RECORDS, (index) => `{"a":${value.replace('INDEX', `${index}`)}}`);
  expect(countClasses(json, ['a.b', '*.b', '$.a[*].b.c'])).toBe(1);
});
