import { expect, test } from '@jest/globals';
import { comparable } from '../comparable.ts';
import { coreEnforce } from '../core.ts';
import { referenceEnforce, type EnforcementProblem } from '../../reference/enforce.ts';

const NAMED = { attribute: 'column', operator: 'EQUALS', values: ['tags'] };

function access(column: string, action: string): object {
  return { path: 'p', resourceType: 'columns', attributes: { column: [column] }, actions: [{ action }] };
}

function problemOf(
  json: unknown,
  root: string | undefined,
  entries: readonly object[],
  tree?: object,
): EnforcementProblem {
  const allowed =
    tree === undefined
      ? []
      : [{ resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': tree }] }];
  return {
    config: { attrName: 'column', object: 'table' },
    parameters: root === undefined ? {} : { root },
    vendor: {},
    jsonText: JSON.stringify(json),
    decision: { response: [{ access: entries, privileges: { allowed } }] },
  };
}

const BRANCHES = { data: { eu: [{ tags: ['x'] }, {}], us: { tags: ['y'] } } };

test.each([
  ['lists on the way', undefined, { a: [{ b: 'x' }, [{ b: 'y' }], 'z'] }, ['a', 'a.b']],
  ['a list where a path ends', undefined, { a: { b: ['x', { b: 'y' }] } }, ['a.b', 'a.b.b']],
  ['properties that are absent', undefined, [{}, { a: {} }, { a: null }], ['a.b', 'c', 'a.d', 'e.f.g']],
  ['a root that paths lead to', 'rows', { rows: [{}, { ssn: 'x' }] }, ['rows.ssn', 'ssn', 'rows', 'name']],
  ['some roots that paths lead to', 'data.*', BRANCHES, ['data.us.tags', 'tags', 'data.eu.name', 'data']],
  ['names that look like others', undefined, { '#': 'x', '0': 'y', json: 'z' }, ['\\#', '\\0', '0', 'json']],
])('paths of names are followed together through %s', async (_what, root, json, paths) => {
  for (const action of ['MASK', 'literal', 'remove()']) {
    const problem = problemOf(
      json,
      root,
      paths.map((path) => access(path, action)),
    );
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
  }
});

test('conditions on names hold at roots that paths of names lead to', async () => {
  const prefix = { attribute: 'table', operator: 'EQUALS', values: ['$.data.eu[*]'] };
  const problem = problemOf(BRANCHES, '$.data.*', [access('data.us.tags', 'literal')], {
    AND: [NAMED, prefix],
  });
  const answer = await coreEnforce(problem);
  expect(comparable(answer)).toEqual(comparable(referenceEnforce(problem)));
  expect(answer).toHaveProperty('text', '{"data":{"eu":[{"tags":null},{}],"us":{"tags":null}}}');
});
