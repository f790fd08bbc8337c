import _ from 'lodash';
import { referenceEnforce, type EnforcementProblem } from '../reference/enforce.ts';
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
  `[${record(2)},"z",["z",${record(2)}],"a"]`,
];

/** A payload in which short paths lead somewhere. */
export interface Payload {
  readonly json: string;
  /** Of the request. */
  readonly root?: string;
  /** Of the configuration. */
  readonly rootWord?: string;
}

export const PAYLOADS: readonly Payload[] = RECORDS.flatMap((records) => [
  { json: records },
  { json: records, rootWord: 'r' },
  { json: `{"r":${records},"ssn":"z"}`, rootWord: 'r' },
  { json: `{"r":${records}}`, root: 'r.#' },
  { json: `[${records},[${record(1)}]]`, root: '0' },
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

/** Every short path, before a name at its end if one is given. */
export function shortPaths(name?: string): readonly string[] {
  const end = name === undefined ? [] : [name];
  const dotted = sequences(IN_DOTTED_PATHS, LONGEST)
    .map((names) => [...names, ...end].join('.'))
    .filter((path) => path !== '');
  // `..` before a dot is written as two of them, and twice it is none; nor is it at the end.
  const jsonPaths = sequences(IN_JSON_PATHS, LONGEST)
    .map((segments) => ['$', ...segments, ...end.map((one) => `.${one}`)].join('').replace('...', '..'))
    .filter((path) => !path.includes('...') && !path.endsWith('.'));
  return [...dotted, ...jsonPaths];
}

/** Whether the core and the reference answer the same. */
export async function agreeOn(payload: Payload, says: readonly object[]): Promise<boolean> {
  const problem = problemOf(payload, says);
  return _.isEqual(comparable(await coreEnforce(problem)), comparable(referenceEnforce(problem)));
}

/** @param says the sections of the decision */
export function problemOf({ json, root, rootWord }: Payload, says: readonly object[]): EnforcementProblem {
  return {
    config: { attrName: 'column', rootWord },
    parameters: root === undefined ? {} : { root },
    vendor: { entityId: 'jane' },
    jsonText: json,
    decision: { response: says },
    decisionText: undefined,
  };
}
