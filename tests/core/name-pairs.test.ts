import { expect, test } from '@jest/globals';
import _ from 'lodash';
import { referenceEnforce, type EnforcementProblem } from '../reference/enforce.ts';
import { allowed, column, table, when } from '../reference/interpretations/table.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

interface Payload {
  readonly json: string;
  /** Of the request. */
  readonly root?: string;
  /** Of the configuration. */
  readonly rootWord?: string;
}

const PAYLOADS: readonly Payload[] = [
  { json: '[{"a":"x","b":{"a":"y"}},"z"]' },
  { json: '[{"a":"x","b":{"a":"y"}},"z"]', rootWord: 'r' },
  { json: '{"a":"x","b":[{"a":"y"},"w"]}', rootWord: 'r' },
  { json: '{"r":[{"a":"x","b":["y"]},{"r":"z"}]}', rootWord: 'r' },
  { json: '{"r":[{"a":"x","b":{"a":"y"}},"z",[{"a":"v"}]],"a":"o"}', root: 'r' },
  { json: '{"r":{"a":"x","b":{"a":"y"}},"a":"o"}', root: 'r' },
  { json: '{"r":{"a":{"b":"x"},"b":{"b":"y"}}}', root: 'r.*' },
];
const NAMES = [
  '$',
  '$.*',
  '$[*]',
  '$[*][*]',
  '$.r',
  '$.r[*]',
  '$..a',
  '*',
  '#',
  '0',
  'r',
  'r.#',
  'b.#',
  'a',
  'r.a',
];
const PREFIXES = ['r', 'b', 'json', '#', '0', '*', '$', '$[*]', 'r.b', 'zz'];

const conditions = ['EQUALS', 'NOT_IN'].flatMap((operator) =>
  NAMES.flatMap((name) =>
    ['EQUALS', 'NOT_IN', 'STARTS_WITH'].flatMap((other) =>
      PREFIXES.map((prefix) => ({ AND: [column(operator, name), table(other, prefix)] })),
    ),
  ),
);

/** Whether the core and the reference answer the same. */
async function agreeOn({ json, root, rootWord }: Payload, tree: object): Promise<boolean> {
  const problem: EnforcementProblem = {
    config: { attrName: 'column', object: 'table', rootWord },
    parameters: root === undefined ? {} : { root },
    vendor: { entityId: 'jane' },
    jsonText: json,
    decision: { response: [allowed(when(tree, 'MASK'))] },
    decisionText: undefined,
  };
  return _.isEqual(comparable(await coreEnforce(problem)), comparable(referenceEnforce(problem)));
}

test.each(PAYLOADS)(
  'every pair of a short name and a short prefix is read as the naive reference reads it: %j',
  async (payload) => {
    const agreed = await Promise.all(conditions.map((tree) => agreeOn(payload, tree)));
    expect(conditions.filter((_tree, at) => agreed[at] !== true)).toEqual([]);
  },
  120_000,
);
