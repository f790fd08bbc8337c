import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import { refusalOf } from './problems.ts';

function parse(text: string) {
  return parseConfiguration(`port: 1\n${text}`, { file: 'config.yaml' });
}

const OPA = 'pdpProtocol: opa\npdpUrl: http://opa:8181/v1/data/masking\n';

describe('the protocol of the PDP', () => {
  test('decides what filter and filterDefault are unless they are given', () => {
    expect(parse(OPA)).toMatchObject({ filter: true, filterDefault: 'allow' });
    expect(parse('pdpProtocol: authzen\npdpUrl: pdp:1')).toMatchObject({ filter: true });
    expect(parse(`${OPA}filter: false\nfilterDefault: deny`)).toMatchObject({
      filter: false,
      filterDefault: 'deny',
    });
    expect(parse('pdpUrl: pdp:1')).toMatchObject({ filter: false });
  });

  test.each([
    ['pdpProtocol: opa\npdpUrl: opa:8181', 'must have the path of the document'],
    ['pdpProtocol: opa\npdpHost: opa', 'must have the path of the document'],
    ...['opa', 'authzen'].map((protocol) => [
      `pdpProtocol: ${protocol}\npolicyFile: p.yaml`,
      'is for a remote PDP, and policyFile configures the embedded one',
    ]),
    ['pdpProtocol: rego\npdpUrl: pdp:1', 'must be one of resolution, opa, authzen'],
    [`${OPA}bareDecision: true`, 'must be one of refuse, allow'],
    [`${OPA}pdpHeaders: authorization`, 'must be a list'],
    [`${OPA}pdpHeaders: ["a b"]`, 'must be the name of a header field'],
    [`${OPA}pdpContext: [a]`, 'must be a map'],
    ['pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a..b }] }', 'is not a path'],
    [
      'pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: lats4 }] }',
      'must be MASK or a mask such as last(4), or value("text") to set a value',
    ],
    [
      'pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: FILTER }] }',
      'must be a mask',
    ],
    [
      'pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: "1::MASK" }] }',
      'has a priority in front; write the mask alone',
    ],
    [
      'pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a }, { path: b, action: hash(k) }] }',
      'line 4: authzen.properties.1.action uses a key that maskKeys of the configuration does not name',
    ],
    [
      'pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a }, { path: a }] }',
      'must have each path once',
    ],
    ['pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ pth: a }] }', 'is not a known key'],
    ['pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { batch: 0 }', 'must be an integer from 1 to'],
  ])('is refused if it is configured wrongly: %s', (text, message) => {
    expect(refusalOf(`port: 1\n${text}\n`).message).toContain(message);
  });

  test.each([
    ['pdpAction: read', 'opa or authzen'],
    ['pdpContext: { a: 1 }', 'opa or authzen'],
    ['bareDecision: allow', 'opa or authzen'],
    ['pdpHeaders: [a]', 'opa'],
    ['pdpProtocol: authzen\npdpHeaders: [a]', 'opa'],
    ['authzen: { properties: [] }', 'authzen'],
    ['authzen: { obligations: true }', 'authzen'],
    ['pdpProtocol: resolution\nauthzen: { batch: 50 }', 'authzen'],
    ['pdpProtocol: opa\nauthzen: { batch: 50 }', 'authzen'],
  ])('are refused without their protocol: %s', (text, protocols) => {
    const { message } = refusalOf(`port: 1\npdpUrl: http://pdp:1/a\n${text}\n`);
    expect(message).toContain(` line ${text.split('\n').length + 2}: `);
    expect(message).toContain(`has an effect only with pdpProtocol: ${protocols}`);
  });

  test('masks with the hashes of keys that the configuration names', () => {
    const written =
      'pdpProtocol: authzen\npdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: hash(k) }] }';
    expect(parse(`${written}\nmaskKeys: { k: { file: k } }`).authzen.properties).toHaveLength(1);
  });

  test('may be asked with a context of any shape', () => {
    const written = `${OPA}pdpContext: { cerbos.includeMeta: true, a: { b: [1, x] } }`;
    expect(parse(written).pdpContext).toEqual({ 'cerbos.includeMeta': true, a: { b: [1, 'x'] } });
  });
});
