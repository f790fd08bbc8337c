import { expect, test } from '@jest/globals';
import _ from 'lodash';
import { Comparison } from '../../../src/core/conditions/comparison.ts';
import type { Relation } from '../../../src/core/conditions/relation.ts';
import type { ValueType } from '../../../src/core/conditions/value-type.ts';
import { elementsOf, TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { UNSORTED, ValueClasses } from '../../../src/core/plan/value-classes.ts';

const COUNT = 20_000;

function comparison(relation: Relation, type: ValueType, values: readonly string[]): Comparison {
  return new Comparison({ relation, negated: false }, type, values, false);
}

test('two values are in one class only if all comparisons come to the same, however many those are', () => {
  const days = _.range(COUNT).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
  const texts = _.range(1000).map((index) => `t${index}`);
  const classes = new ValueClasses([
    comparison(
      'equals',
      'STRING',
      _.range(COUNT).map((index) => `e${index}`),
    ),
    comparison('less', 'STRING', texts),
    comparison('less', 'NUMBER', _.range(COUNT).map(String)),
    comparison('less', 'DATE', days),
  ]);
  // Each of the texts takes a class of its own, so that those of the days are large numbers.
  const doc = scan(Buffer.from(JSON.stringify([...texts, ...days])), 1);
  const found = Array.from(elementsOf(doc, TOP), (node) => classes.of(doc, node)).slice(texts.length);
  const sorted = found.filter((like) => like !== UNSORTED);
  expect(new Set(sorted).size).toBe(sorted.length);
});
