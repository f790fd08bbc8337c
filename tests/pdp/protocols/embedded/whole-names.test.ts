import { afterEach, expect, test } from '@jest/globals';
import { createEnforcer } from '../../../../src/library.ts';
import { loadPolicyFile } from '../../../../src/pdp/protocols/embedded/policy-file/load.ts';
import { startPdpServer } from '../../../../src/pdp/protocols/embedded/server.ts';
import { fileWith } from '../../../support/folder.ts';
import { closeAll, stopLater } from '../../transport/setup.ts';

afterEach(closeAll);

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const PAYLOAD = { o: { x: '1', d: { x: '2' } }, x: '3', s: 'a' };
const OF_RECORDS = '{ attribute: s, operator: EQUALS, values: [a] }';
const OF_NAMES = '{ attribute: table, operator: EQUALS, values: [o] }';
const WHEN = `when: ${OF_RECORDS}`;
const ON_NAMES = `when: ${OF_NAMES}`;
const EXACT = { ...PAYLOAD, o: { ...PAYLOAD.o, x: '***' } };
const DEEP = { ...PAYLOAD, o: { x: '***', d: { x: '***' } } };

/** What becomes of the payload with the policies in the process, and with a PDP that speaks the resolution protocol. */
async function answers(policy: string): Promise<unknown[]> {
  const file = await fileWith(`policies: [{ name: P, action: MASK, ${policy} }]`);
  const pdp = await startPdpServer({
    policies: { current: loadPolicyFile(file) },
    port: 0,
    host: '127.0.0.1',
    logger: SILENT,
  });
  stopLater(() => pdp.close());
  const names = { attrName: 'column', object: 'table' };
  const configurations = [{ policyFile: file }, { pdpUrl: `127.0.0.1:${pdp.port}`, ...names }];
  return Promise.all(
    configurations.map(async (configuration) => {
      const enforcer = await createEnforcer(configuration);
      stopLater(() => enforcer.close());
      return (await enforcer.enforce({ vendor: {}, json: PAYLOAD })).value();
    }),
  );
}

test.each([
  ['', EXACT],
  [WHEN, EXACT],
  ['effect: denied', EXACT],
  [`effect: denied, ${WHEN}`, EXACT],
  [ON_NAMES, DEEP],
  [`when: { any: [${OF_NAMES}, ${OF_RECORDS}] }`, DEEP],
  [`when: { all: [${OF_NAMES}, ${OF_RECORDS}] }`, DEEP],
])('object and properties name the same with or without: %s', async (rest, expected) => {
  const policy = `object: o, properties: [x]${rest && `, ${rest}`}`;
  expect(await answers(policy)).toEqual([expected, expected]);
});

test.each([
  ['a name with an escape', String.raw`object: 'o', properties: ['\x']`],
  ['a wildcard', "object: 'o', properties: ['x*']"],
])('also with %s', async (_, names) => {
  expect(await answers(`${names}, ${WHEN}`)).toEqual([EXACT, EXACT]);
});

test.each([
  ['an object', `object: "$['o']", properties: ['x*']`],
  ['a property', `object: 'o', properties: ["$['x']"]`],
])(
  'of %s as JSONPath, which does not go on as texts do, what is deeper is masked as well',
  async (_, names) => {
    expect(await answers(`${names}, ${WHEN}`)).toEqual([DEEP, DEEP]);
  },
);
