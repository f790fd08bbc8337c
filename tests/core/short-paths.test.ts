import { expect, test } from '@jest/globals';
import _ from 'lodash';
import { referenceEnforce, type EnforcementProblem } from '../reference/enforce.ts';
import { access, allowed, leaf, when } from '../reference/interpretations/table.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

/** What paths are made of, as JSONPath and with dots. */
const IN_JSON_PATHS = ['.r', '[*]', '[0]', '[1]', '..', '[1:]', '[0,1]'];
const IN_DOTTED_PATHS = ['json', 'r', '#', '0', '1', '*', 'r*'];

/** How many segments come before the last. */
const LONGEST = 2;

const RECORDS = [
  `[${record(1)},${record(2)}]`,
  `[${record(1)},[${record(2)},${record(3)}]]`,
  `[${record(2, ',"r":[{"ssn":"z"}]')},${record(1, ',"r":{"ssn":"a"}')},${record(2, ',"json":{"ssn":"z"}')}]`,
  `[${record(2, ',"c":{"ssn":"z"}')},[[${record(2, ',"c":[{"ssn":"z"}]')}]]]`,
  `[${record(2, ',"0":{"ssn":"z"}')},${record(2, ',"1":[{"ssn":"a"}]')}]`,
  record(2, ',"r":{"ssn":"z"}'),
  '[{"id":1},{"id":2,"c":{"id":3}}]',
];

interface Payload {
  readonly json: string;
  /** Of the request. */
  readonly root?: string;
  /** Of the configuration. */
  readonly rootWord?: string;
}

const PAYLOADS: readonly Payload[] = RECORDS.flatMap((records) => [
  { json: records },
  { json: records, rootWord: 'r' },
  { json: `{"r":${records},"ssn":"z"}`, rootWord: 'r' },
  { json: `{"r":${records}}`, root: 'r.#' },
  { json: `{"d":{"ssn":"z","r":${records}}}`, root: 'd.r' },
  { json: `{"d":[{"r":${records}},{"r":${records}}]}`, root: 'd.#.r' },
]);

function record(id: number, more = ''): string {
  return `{"id":${id},"ssn":"${id % 2 === 1 ? 'z' : 'a'}"${more}}`;
}

function sequences(of: readonly string[], length: number): string[][] {
  if (length === 0) return [[]];
  const shorter = sequences(of, length - 1);
  return [
    ...shorter,
    ...of.flatMap((last) =>
      shorter.filter((one) => one.length === length - 1).map((one) => one.concat(last)),
    ),
  ];
}

const dotted = sequences(IN_DOTTED_PATHS, LONGEST).map((names) => [...names, 'ssn'].join('.'));
/** `..` before a dot is written as two of them, and twice it is none. */
const jsonPaths = sequences(IN_JSON_PATHS, LONGEST)
  .map((segments) => `$${segments.join('')}.ssn`.replace('...', '..'))
  .filter((path) => !path.includes('...'));

/** Masks `id` under a condition on the path. */
function conditional(operator: string): (path: string) => object {
  const isId = leaf('column', 'EQUALS', 'id');
  return (path) => allowed(when({ AND: [isId, leaf(path, operator, 'z')] }, 'MASK'));
}

/** Whether the core and the reference answer the same. */
async function agreeOn({ json, root, rootWord }: Payload, says: object): Promise<boolean> {
  const problem: EnforcementProblem = {
    config: { attrName: 'column', rootWord },
    parameters: root === undefined ? {} : { root },
    vendor: { entityId: 'jane' },
    jsonText: json,
    decision: { response: [says] },
    decisionText: undefined,
  };
  return _.isEqual(comparable(await coreEnforce(problem)), comparable(referenceEnforce(problem)));
}

test.each([
  ['in a condition', conditional('EQUALS')],
  ['in a negated condition', conditional('NOT_EQUALS')],
  ['of a mask', (path: string) => access(path)],
])(
  'every short path %s is read as the naive reference reads it',
  async (_name, saying) => {
    const questions = [...dotted, ...jsonPaths].flatMap((path) =>
      PAYLOADS.map((payload) => ({ path, payload, says: saying(path) })),
    );
    const agreed = await Promise.all(questions.map(({ payload, says }) => agreeOn(payload, says)));
    const differing = questions.filter((_question, at) => agreed[at] !== true);
    expect(differing).toEqual([]);
  },
  120_000,
);
