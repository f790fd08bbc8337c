import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { readTokenObject } from '../../../src/core/index.ts';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { routesFrom, vendorIn } from './written.ts';

interface Given {
  readonly claims?: string;
  readonly headers?: HeaderFields;
  readonly method?: string;
  readonly target?: string;
  readonly asksSubject?: boolean;
}

/** The vendor of the request's intent, as JSON text, or the code of the error. */
function vendorOf(
  vendor: unknown,
  { claims = '{}', headers = [], method = 'GET', target = '/a', asksSubject = false }: Given = {},
): string {
  const match = routesFrom({ otherwise: { vendor } }, asksSubject).find(method, target);
  try {
    return vendorIn(match.intent({ method, headers, claims: readTokenObject(Buffer.from(claims)) }));
  } catch (error) {
    return Error.isError(error) && 'code' in error ? String(error.code) : String(error);
  }
}

describe('a claim that says who asks', () => {
  const members = ['entityId', 'entityTypeId', 'clientId', 'clientID'];
  const values = ['5', 'true', '{"a":"b"}', '["jane"]'];
  test.each(members.flatMap((name) => values.map((value) => [name, value])))(
    'causes 401 if it is not text: %s %s',
    (name = '', value) => {
      const vendor = { [name]: '${claims.sub}' };
      expect(vendorOf(vendor, { claims: `{"sub":${value}}` })).toBe('token-refused');
    },
  );

  test.each([
    [{ entityId: '${claims.sub}' }, '5', '{"entityId":5}'],
    [{ subject: { type: 'user', id: '${claims.sub}' } }, '5', '{"subject":{"type":"user","id":5}}'],
    [{ subject: { type: '${claims.sub}', id: 'a' } }, '"b"', '{"subject":{"type":"b","id":"a"}}'],
    ...['true', '{}', '["jane"]', '[""]'].flatMap((claim) => [
      [{ entityId: '${claims.sub}' }, claim, 'token-refused'] as const,
      [{ subject: { type: 'user', id: '${claims.sub}' } }, claim, 'token-refused'] as const,
      [{ subject: { type: '${claims.sub}', id: 'a' } }, claim, 'token-refused'] as const,
    ]),
  ])('may be a number if the PDP is asked about a subject, and nothing else: %j with %s', (...row) => {
    const [vendor, claim, expected] = row;
    expect(vendorOf(vendor, { asksSubject: true, claims: `{"sub":${claim}}` })).toBe(expected);
  });

  test('may be a list in a subject that the PDP is not asked about', () => {
    const vendor = { subject: { id: '${claims.sub}' } };
    expect(vendorOf(vendor, { claims: '{"sub":["jane"]}' })).toBe('{"subject":{"id":["jane"]}}');
  });

  test.each([['{}'], ['{"sub":5}'], ['{"sub":""}'], ['{"sub":["jane"]}']])(
    'is the user of the token if the route names nobody, and causes 401 if that is not text: %s',
    (claims) => {
      expect(vendorOf({}, { claims, asksSubject: true })).toBe('token-refused');
      expect(vendorOf({}, { claims })).toBe('{}');
    },
  );

  test('may be one of several in a list only by its index', () => {
    const claims = '{"ids":["jane"]}';
    expect(vendorOf({ entityId: '${claims.ids[0]}' }, { claims })).toBe('{"entityId":"jane"}');
    expect(vendorOf({ entityId: '${claims.ids[*]}' }, { claims })).toBe('token-refused');
  });
});

describe('the vendor of a route', () => {
  test('is what the configuration has, with variables filled in', () => {
    const vendor = { clientId: 'portal', entityId: '${claims.sub}', environment: { list: ['${method}', 1] } };
    expect(vendorOf(vendor, { claims: '{"sub":"jane"}' })).toBe(
      '{"clientId":"portal","entityId":"jane","environment":{"list":["GET",1]}}',
    );
  });

  test('is an empty object if the route has none', () => {
    expect(vendorOf(undefined)).toBe('{}');
  });

  test.each([
    ['a text', '"jane"', '"jane"'],
    ['a number with every digit', '12345678901234567890.10', '12345678901234567890.10'],
    ['a list', '["a", "b"]', '["a", "b"]'],
    ['an object', '{"a":1}', '{"a":1}'],
    ['false', 'false', 'false'],
  ])('has %s as the token has it', (_name, claim, expected) => {
    expect(vendorOf({ id: '${claims.x}' }, { claims: `{"x":${claim}}` })).toBe(`{"id":${expected}}`);
  });

  test('has claims by JSONPath', () => {
    const claims = '{"realm":{"roles":["a","b"]},"https://x/y":"z"}';
    expect(vendorOf({ r: '${claims.realm.roles[1]}' }, { claims })).toBe('{"r":"b"}');
    expect(vendorOf({ r: '${claims.realm.roles[*]}' }, { claims })).toBe('{"r":["a","b"]}');
    expect(vendorOf({ r: '${claims.$.realm.roles[0]}' }, { claims })).toBe('{"r":"a"}');
    expect(vendorOf({ r: "${claims['https://x/y']}" }, { claims })).toBe('{"r":"z"}');
  });

  test('has variables in the middle of a text as text', () => {
    const vendor = { id: 'u-${claims.sub}@${headers.x-tenant}${path}' };
    const headers: HeaderFields = [['X-Tenant', 'acme']];
    expect(vendorOf(vendor, { claims: '{"sub":7}', headers, target: '/a/b' })).toBe('{"id":"u-7@acme/a/b"}');
  });

  test('has header fields by name in any letter case, in UTF-8', () => {
    // Among them is `à`, whose last byte is a blank in other encodings.
    const letters = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('José', 'Nicolà', '\u00a0'));
    const texts = fc.array(letters).map((parts) => parts.join('').replaceAll(/\p{Cc}/gu, ''));
    fc.assert(
      fc.property(texts, fc.constantFrom('', ' ', '\t '), (text, blanks) => {
        const written = Buffer.from(`${blanks}${text}${blanks}`).toString('latin1');
        const id = _.trim(text, ' \t');
        const expected = id === '' ? 'variable-missing' : JSON.stringify({ id });
        expect(vendorOf({ id: '${headers.X-User}' }, { headers: [['X-USER', written]] })).toBe(expected);
      }),
    );
  });
});

describe('a value', () => {
  test.each(['","admin":true,"x":"', '\\', '"', '\u2028', '${claims.other}', '{"a":1}'])(
    'cannot change the syntax around it: %s',
    (text) => {
      const claims = JSON.stringify({ sub: text, other: 'no' });
      const headers: HeaderFields = [['X-User', Buffer.from(text).toString('latin1')]];
      for (const vendor of [{ id: '${claims.sub}' }, { id: '${headers.x-user}' }])
        expect(JSON.parse(vendorOf(vendor, { claims, headers }))).toEqual({ id: text });
      expect(JSON.parse(vendorOf({ id: 'a ${claims.sub}' }, { claims }))).toEqual({ id: `a ${text}` });
    },
  );
});

describe('a variable that is missing', () => {
  test.each([
    ['absent', '{}'],
    ['null', '{"x":null}'],
    ['empty', '{"x":""}'],
    ['ambiguous', '{"x":{"y":1,"y":2}}'],
  ])('causes 401 if it is a claim that is %s', (name, claims) => {
    const claim = name === 'ambiguous' ? '${claims.x.y}' : '${claims.x}';
    expect(vendorOf({ id: claim }, { claims })).toBe('token-refused');
  });

  test('causes 401 if it is an object in the middle of a text', () => {
    expect(vendorOf({ id: 'a${claims.x}' }, { claims: '{"x":{}}' })).toBe('token-refused');
    const match = routesFrom({ otherwise: { vendor: { id: 'a${claims.x}' } } }).find('GET', '/');
    const claims = readTokenObject(Buffer.from('{"x":{}}'));
    expect(() => match.intent({ method: 'GET', headers: [], claims })).toThrow('does not have text in');
  });

  test.each<[string, HeaderFields]>([
    ['absent', []],
    ['empty', [['X-User', ' ']]],
    [
      'repeated',
      [
        ['X-User', 'a'],
        ['x-user', 'b'],
      ],
    ],
    ['not UTF-8', [['X-User', '\u00ff']]],
    ['spelt with an underscore', [['X_User', 'a']]],
  ])('causes 400 if it is a header field that is %s', (_name, headers) => {
    expect(vendorOf({ id: '${headers.x-user}' }, { headers })).toBe('variable-missing');
  });
});

describe('routes know', () => {
  test('which header fields are dropped from requests: those that they name and that are not trusted', () => {
    const vendor = { a: '${headers.X-User}', b: '${headers.x-tenant}' };
    const { untrustedHeaders } = routesFrom({ otherwise: { vendor }, trustedHeaders: ['X-TENANT'] });
    expect([...untrustedHeaders.names]).toEqual(['x-user']);
    const dropped = ['x-user', 'X-USER', 'X_User', 'x_tenant', 'X_TENANT'];
    const kept = ['X-Tenant', 'x-users', 'xuser', 'x-user-', ''];
    expect([...dropped, ...kept].filter((name) => untrustedHeaders.has(name))).toEqual(dropped);
  });

  test('which of them need claims, and which header fields say who calls', () => {
    const routes = routesFrom({
      routes: [{ path: '/a', vendor: { id: 'x ${claims.sub}' } }],
      otherwise: { vendor: { id: '${headers.x-user}' } },
    });
    expect(routes.find('GET', '/a').route).toMatchObject({ needsClaims: true, identityHeaders: [] });
    expect(routes.find('GET', '/b').route).toMatchObject({ needsClaims: false, identityHeaders: ['x-user'] });
  });
});
