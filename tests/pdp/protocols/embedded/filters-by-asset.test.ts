import { expect, test } from '@jest/globals';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import { enforcedText, portsOn, SETTINGS } from '../../../enforcement/ports.ts';
import { policiesFrom } from './ask.ts';

const PARAMETERS = '{"calculationType":"context","assetId":"id","protectedObject":"Account"}';

/** The identifiers of the records that stay. */
async function left(
  filterDefault: 'allow' | 'deny',
  policies: string,
  ids: readonly string[],
): Promise<unknown> {
  const settings = { ...SETTINGS, attrName: 'column', filter: true, filterDefault };
  const ports = {
    ...portsOn(createEmbeddedPdp({ current: policiesFrom(`policies:\n${policies}`) })),
    settings,
  };
  const payload = JSON.stringify(ids.map((id) => ({ id })));
  const records: unknown = JSON.parse(await enforcedText(payload, ports, PARAMETERS));
  return Object.values(Object(records)).map((record) => Object(record).id);
}

const OWN = '  - { name: Own, assets: { type: Account, ids: [a1, a2] }, action: FILTER }';
const DRY =
  '  - { name: Own, assets: { type: Account, ids: [a1, a2] }, action: FILTER, metadata: { DRY_RUN: id } }';
const ALL = '  - { name: All, assets: { type: Account, ids: all }, action: FILTER }';
const NONE = '  - { name: M, assets: { type: Account, ids: [a1] }, properties: [b], action: MASK }';

test.each<[string, string, 'allow' | 'deny', readonly string[], readonly string[]]>([
  ['some are allowed', OWN, 'allow', ['a1', 'a3'], ['a1']],
  ['none is allowed', OWN, 'allow', ['a3', 'a4'], []],
  ['none is allowed', OWN, 'deny', ['a3', 'a4'], []],
  ['none would be allowed, in dry run', DRY, 'allow', ['a3', 'a4'], ['a3', 'a4']],
  ['none would be allowed, in dry run', DRY, 'deny', ['a3', 'a4'], ['a3', 'a4']],
  ['all are allowed', ALL, 'deny', ['a3', 'a4'], ['a3', 'a4']],
  ['no policy filters', NONE, 'allow', ['a3', 'a4'], ['a3', 'a4']],
  ['no policy filters', NONE, 'deny', ['a3', 'a4'], []],
])(
  'the records that are allowed stay, if any policy filters: %s (%#)',
  async (_name, policies, filterDefault, ids, expected) => {
    expect(await left(filterDefault, policies, ids)).toEqual(expected);
  },
);
