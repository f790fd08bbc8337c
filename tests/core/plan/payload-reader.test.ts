import { expect, jest, test } from '@jest/globals';
import { elementsOf, TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { State } from '../../../src/core/paths/state.ts';
import { ElementStates } from '../../../src/core/paths/element-states.ts';
import { RecordConditions } from '../../../src/core/plan/record-condition.ts';
import { RecordView, Subject } from '../../../src/core/plan/record.ts';
import { RootList } from '../../../src/core/roots.ts';
import { coreEnforce } from '../core.ts';
import { leaf, list } from './leaf.ts';

const ELEMENTS = 500;
const ATTRIBUTES = 100;

test('attributes that lead to other elements are read of the payload in one walk', () => {
  const doc = scan(Buffer.from(list(ELEMENTS, (index) => `{"a":"${index === 7 ? 'x' : 'y'}"}`)), 10);
  const conditions = new RecordConditions({ isJsonNamed: true, rootWord: undefined }, () => []);
  const compiled = Array.from({ length: ATTRIBUTES }, (_, index) => conditions.compile(leaf(`${index}.a`)));
  const subject = new Subject(doc, TOP, RootList.ofPayload(TOP));
  subject.conditions = conditions;
  const [last = TOP] = [...elementsOf(doc, TOP)].slice(-1);
  const record = new RecordView(subject, last, 0, undefined);
  const steps = jest.spyOn(ElementStates.prototype, 'at');
  const held = [...compiled.keys()].filter((index) => compiled[index]?.holds(record));
  expect(held).toEqual([7]);
  expect(steps.mock.calls.length).toBeLessThan(2 * ELEMENTS);
  steps.mockRestore();
});

test('attributes that may lead beside the root are read of the payload in one walk', async () => {
  const others = list(ELEMENTS, (index) => `{"b${index % ATTRIBUTES}":"${index === 7 ? 'x' : 'y'}"}`);
  const conditions = Array.from({ length: ATTRIBUTES }, (_, index) => ({
    resourceType: 'columns',
    actions: [
      {
        action: 'MASK',
        'asset-attributes-filter': {
          AND: [
            { attribute: 'column', operator: 'EQUALS', values: ['a'] },
            { attribute: `$..b${index}`, operator: 'EQUALS', values: ['x'] },
          ],
        },
      },
    ],
  }));
  const steps = jest.spyOn(State.prototype, 'member');
  const answer = await coreEnforce({
    config: { attrName: 'column' },
    parameters: { root: 'rows' },
    vendor: {},
    jsonText: `{"rows":[{"a":"1"}],"others":${others}}`,
    decision: { response: [{ privileges: { allowed: conditions, denied: [] } }] },
  });
  expect(answer).toMatchObject({ text: expect.stringContaining('"a":"***"') });
  expect(steps.mock.calls.length).toBeLessThan(4 * ELEMENTS);
  steps.mockRestore();
});
