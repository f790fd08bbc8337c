import { describe, expect, test } from '@jest/globals';
import { referenceEnforce, type EnforcementAnswer, type EnforcementProblem } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const DOTTED = ['result', '#', '0', 'r*', 'rows', 'ssn', '*'];
const IN_BRACKETS = [
  "['result']",
  "['result','other']",
  "['0']",
  "['0','#']",
  '[0]',
  '[-1]',
  '[0,1]',
  '[*]',
  "['rows',*]",
  '..ssn',
];
const PAYLOADS = [
  '{"ssn":"1"}',
  '[{"ssn":"1"},{"ssn":"2"}]',
  '{"result":[{"ssn":"1"}],"x":"2"}',
  '{"rows":[{"ssn":"1","rows":{"ssn":"3"}}],"result":"2"}',
  '{"#":{"ssn":"1"},"0":{"ssn":"2"}}',
  '["1",["2",{"ssn":"3"}]]',
];
const ROOT_WORDS = [undefined, 'result', '#'];

function oneOrTwo(start: string, steps: readonly string[], between: string): string[] {
  const one = steps.map((step) => `${start}${step}`);
  const two = one.flatMap((path) => steps.map((step) => `${path}${between}${step}`));
  return [...one, ...two];
}

const PATHS = [...oneOrTwo('', DOTTED, '.'), ...oneOrTwo('$', IN_BRACKETS, ''), '$'];

const MASK = { action: 'MASK' };
const LEAF = { type: 'STRING', operator: 'EQUALS' };

function byCondition(...leaves: readonly object[]): object {
  return {
    privileges: {
      allowed: [
        {
          resourceType: 'columns',
          actions: [{ ...MASK, 'asset-attributes-filter': { AND: leaves } }],
        },
      ],
      denied: [],
    },
  };
}

/** What a decision may say with a path. */
const SAYS: readonly (readonly [what: string, response: (path: string) => object])[] = [
  ['a mask', (path) => ({ access: [{ path, actions: [MASK], resourceType: 'columns' }] })],
  ['a literal', (path) => ({ access: [{ path, actions: [{ action: 'L' }], resourceType: 'columns' }] })],
  ['a name', (path) => byCondition({ ...LEAF, attribute: 'column', values: [path] })],
  [
    'a prefix',
    (path) =>
      byCondition(
        { ...LEAF, attribute: 'table', values: [path] },
        { ...LEAF, attribute: 'column', values: ['ssn'] },
      ),
  ],
];

function problem(
  path: string,
  jsonText: string,
  rootWord: string | undefined,
  says: (path: string) => object,
): EnforcementProblem {
  return {
    config: { attrName: 'column', object: 'table', maskString: '***', filter: false, rootWord },
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [says(path)] },
    decisionText: undefined,
  };
}

function shown({ jsonText, decision }: EnforcementProblem, answer: EnforcementAnswer): string {
  return `${JSON.stringify(decision)} on ${jsonText}: ${JSON.stringify(comparable(answer))}`;
}

describe.each(SAYS)('%s at a path in any spelling', (_, says) => {
  test.each(ROOT_WORDS)('is where the naive reference has it, with the root word %s', async (rootWord) => {
    const problems = PAYLOADS.flatMap((payload) =>
      PATHS.map((path) => problem(path, payload, rootWord, says)),
    );
    const answers = await Promise.all(problems.map(async (one) => shown(one, await coreEnforce(one))));
    expect(answers).toEqual(problems.map((one) => shown(one, referenceEnforce(one))));
  });
});
