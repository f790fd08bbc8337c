import { afterEach, describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import { stringify } from 'yaml';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { mountedPolicies } from '../support/mounted-policies.ts';
import { fileWith } from '../support/folder.ts';
import { serving } from '../support/process.ts';

afterEach(closeAll);

const CALLERS = 4;
const VERSIONS = 5;
const RECORDS = Array.from({ length: 200 }, (_value, id) => ({
  id,
  a: 'x',
  b: { c: 'x' },
  d: 'x',
  vip: id % 2 === 0,
}));

/** Policies that mask with the number of their version, under names that no other version has. */
function policiesOf(version: number): string {
  const action = { name: 'SHOW', value: `v${version}` };
  return JSON.stringify({
    attrName: `column${version}`,
    object: `table${version}`,
    policies: [
      { name: 'listed', properties: ['a'], action },
      { name: 'below a prefix', object: 'b', properties: ['c'], action },
      {
        name: 'under a condition',
        properties: ['d'],
        action,
        when: { attribute: 'id', operator: 'NOT_IN', type: 'INTEGER', values: [-1] },
      },
    ],
  });
}

/** What one caller was answered, one after the other. */
interface Seen {
  readonly statuses: number[];
  /** The versions in each answer. */
  readonly versions: string[][];
}

async function callAgainAndAgain(port: number, seen: Seen, isOver: () => boolean): Promise<void> {
  const body = enforcing(JSON.stringify(RECORDS), { vendor: { entityTypeId: 'Agent', entityId: 'jane' } });
  while (!isOver()) {
    // oxlint-disable-next-line no-await-in-loop -- one caller asks once at a time
    const { status, text } = await call(port, { body });
    seen.statuses.push(status);
    seen.versions.push(_.uniq(text.match(/v\d+|"x"/gu) ?? []));
  }
}

describe('a service under load whose policies change again and again', () => {
  test('loses no request, and no answer mixes two versions', async () => {
    const { file, replace } = await mountedPolicies(policiesOf(0));
    const { port, logged } = await serving(
      '-c',
      await fileWith(stringify({ port: 0, policyFile: file, workers: 2 })),
    );
    let isOver = false;
    const seen = Array.from({ length: CALLERS }, (): Seen => ({ statuses: [], versions: [] }));
    const calls = seen.map((one) => callAgainAndAgain(port, one, () => isOver));
    for (let version = 1; version <= VERSIONS; version++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await replace(policiesOf(version));
      // oxlint-disable-next-line no-await-in-loop
      await eventually(() => seen.some(({ versions }) => _.isEqual(versions.at(-1), [`v${version}`])));
    }
    isOver = true;
    await Promise.all(calls);

    expect(_.uniq(seen.flatMap(({ statuses }) => statuses))).toEqual([200]);
    expect(seen.flatMap(({ versions }) => versions).filter((one) => one.length !== 1)).toEqual([]);
    const all = new Set(seen.flatMap(({ versions }) => versions.flat()));
    expect([...all].toSorted()).toEqual(_.range(VERSIONS + 1).map((version) => `v${version}`));
    expect(logged()).toContain('"message":"Policies loaded"');
  });
});
