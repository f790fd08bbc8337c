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

const DOTTED_PATHS = oneOrTwo('', DOTTED, '.');
const PATHS = [...DOTTED_PATHS, ...oneOrTwo('$', IN_BRACKETS, ''), '$'];
/** Paths to properties of objects: what a scalar record has, and lengths, are another matter. */
const ATTRIBUTES = DOTTED_PATHS.filter((path) => !path.endsWith('#'));
const OF_OBJECTS = PAYLOADS.filter((payload) => !payload.startsWith('["'));

const MASK = { action: 'MASK' };
const LEAF = { type: 'STRING', operator: 'EQUALS' };
const NEGATED = { ...LEAF, operator: 'NOT_IN' };
const BEGINNING = { ...LEAF, operator: 'STARTS_WITH' };

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

function byAttribute(path: string): object {
  return byCondition({ ...LEAF, attribute: path, values: ['1'] });
}

function masked(attributes: object): object {
  return { access: [{ path: 'x', attributes, actions: [MASK], resourceType: 'columns' }] };
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

/** What a decision may say with a dotted path. */
const SAYS_DOTTED: typeof SAYS = [
  ['a name to spare', (path) => byCondition({ ...NEGATED, attribute: 'column', values: [path] })],
  ['the beginning of a name', (path) => byCondition({ ...BEGINNING, attribute: 'column', values: [path] })],
  ['a prefix to spare', (path) => byCondition({ ...NEGATED, attribute: 'table', values: [path] })],
  ['the prefix of an entry', (path) => masked({ table: path, column: 'ssn' })],
];

function problem(
  path: string,
  jsonText: string,
  rootWord: string | undefined,
  says: (path: string) => object,
  root?: string,
): EnforcementProblem {
  return {
    config: { attrName: 'column', object: 'table', maskString: '***', filter: false, rootWord },
    parameters: root === undefined ? {} : { root },
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [says(path)] },
    decisionText: undefined,
  };
}

function shown({ jsonText, decision }: EnforcementProblem, answer: EnforcementAnswer): string {
  return `${JSON.stringify(decision)} on ${jsonText}: ${JSON.stringify(comparable(answer))}`;
}

function comparison(problems: readonly EnforcementProblem[]) {
  return {
    expected: problems.map((one) => shown(one, referenceEnforce(one))),
    actual: Promise.all(problems.map(async (one) => shown(one, await coreEnforce(one)))),
  };
}

describe.each([
  ...SAYS.map(([what, says]) => [what, says, PATHS] as const),
  ...SAYS_DOTTED.map(([what, says]) => [what, says, DOTTED_PATHS] as const),
])('%s at a path in any spelling', (_, says, paths) => {
  test.each(ROOT_WORDS)('is where the naive reference has it, with the root word %s', async (rootWord) => {
    const problems = PAYLOADS.flatMap((payload) =>
      paths.map((path) => problem(path, payload, rootWord, says)),
    );
    const { actual, expected } = comparison(problems);
    expect(await actual).toEqual(expected);
  });
});

test.each([undefined, 'rows'])(
  'an attribute in any spelling is read where the naive reference reads it, with the root %s',
  async (root) => {
    const problems = ROOT_WORDS.flatMap((rootWord) =>
      OF_OBJECTS.flatMap((payload) =>
        ATTRIBUTES.map((path) => problem(path, payload, rootWord, byAttribute, root)),
      ),
    );
    const { actual, expected } = comparison(problems);
    expect(await actual).toEqual(expected);
  },
);
