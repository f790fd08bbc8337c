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
    [
      'pdpProtocol: opa\npolicyFile: p.yaml',
      'is for a remote PDP, and policyFile configures the embedded one',
    ],
    ['pdpProtocol: rego\npdpUrl: pdp:1', 'must be one of resolution, opa, authzen'],
    [`${OPA}bareDecision: true`, 'must be one of refuse, allow'],
    [`${OPA}pdpHeaders: authorization`, 'must be a list'],
    [`${OPA}pdpHeaders: ["a b"]`, 'must be the name of a header field'],
    [`${OPA}pdpContext: [a]`, 'must be a map'],
    ['pdpUrl: pdp:1\nauthzen: { properties: [{ path: a..b }] }', 'is not a path'],
    [
      'pdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: lats4 }] }',
      'must be MASK, FILTER or a mask',
    ],
    ['pdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: FILTER }] }', 'must be a mask'],
    [
      'pdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: "1::MASK" }] }',
      'has a priority in front; write the mask alone',
    ],
    [
      'pdpUrl: pdp:1\nauthzen: { properties: [{ path: a }, { path: b, action: hash(k) }] }',
      'line 3: authzen.properties.1.action uses a key that maskKeys does not name',
    ],
    ['pdpUrl: pdp:1\nauthzen: { properties: [{ path: a }, { path: a }] }', 'must have each path once'],
    ['pdpUrl: pdp:1\nauthzen: { properties: [{ pth: a }] }', 'is not a known key'],
    ['pdpUrl: pdp:1\nauthzen: { batch: 0 }', 'must be an integer from 1 to'],
  ])('is refused if it is configured wrongly: %s', (text, message) => {
    expect(refusalOf(`port: 1\n${text}\n`).message).toContain(message);
  });

  test('masks with the hashes of keys that the configuration names', () => {
    const written = 'pdpUrl: pdp:1\nauthzen: { properties: [{ path: a, action: hash(k) }] }';
    expect(parse(`${written}\nmaskKeys: { k: { file: k } }`).authzen.properties).toHaveLength(1);
  });

  test('may be asked with a context of any shape', () => {
    const written = `${OPA}pdpContext: { cerbos.includeMeta: true, a: { b: [1, x] } }`;
    expect(parse(written).pdpContext).toEqual({ 'cerbos.includeMeta': true, a: { b: [1, 'x'] } });
  });
});
