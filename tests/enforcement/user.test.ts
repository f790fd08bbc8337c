import { describe, expect, test } from '@jest/globals';
import { TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
import { namesUser } from '../../src/enforcement/names-user.ts';
import { userOf } from '../../src/enforcement/report.ts';

function userWith(vendor: string, authorization?: string): string {
  const headers = authorization === undefined ? [] : [['Authorization', authorization] as const];
  return userOf({ vendor: { doc: scan(Buffer.from(vendor), 10), node: TOP }, headers });
}

function bearer(claims: string): string {
  return `Bearer ${['{}', claims, 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.')}`;
}

describe('the user of the log', () => {
  test('is the one of the request, else the one of the token, else unknown', () => {
    expect(userWith('{"entityId":"jane"}', bearer('{"sub":"max"}'))).toBe('jane');
    expect(userWith('{"entityId":""}', bearer('{"sub":"max"}'))).toBe('max');
    expect(userWith('{}', bearer('{"sub":"max"}'))).toBe('max');
    expect(userWith('{"entityId":"eve","entityId":"jane"}')).toBe('jane');
    expect(userWith('{}')).toBe('unknown');
  });

  test('is the one of the verified claims before that of a token which nobody verified', () => {
    const claims = scan(Buffer.from('{"sub":"max"}'), 10);
    const headers = [['Authorization', bearer('{"sub":"eve"}')] as const];
    const vendor = { doc: scan(Buffer.from('{}'), 10), node: TOP };
    expect(userOf({ vendor, headers, claims })).toBe('max');
    expect(userOf({ vendor, headers: [], claims })).toBe('max');
    expect(userOf({ vendor, headers, claims: scan(Buffer.from('{"azp":"app"}'), 10) })).toBe('eve');
  });

  test('is the one of the request before that of the verified claims', () => {
    const claims = scan(Buffer.from('{"sub":"max"}'), 10);
    const vendor = { doc: scan(Buffer.from('{"entityId":"jane"}'), 10), node: TOP };
    expect(userOf({ vendor, headers: [], claims })).toBe('jane');
  });

  test.each([
    ['{"sub":9007199254740993}', '9007199254740993'],
    ['{"sub":"\\u006dax"}', 'max'],
    ['{"sub":["max"]}', 'max'],
    ['{"sub":["max","tom"]}', 'unknown'],
    ['{"sub":{"a":1}}', 'unknown'],
    ['{"sub":null}', 'unknown'],
    ['{"sub":""}', 'unknown'],
    ['{"sub":"max","sub":"tom"}', 'unknown'],
    ['{"sub":"max"', 'unknown'],
  ])('of a token with %s is %s', (claims, user) => {
    expect(userWith('{}', bearer(claims))).toBe(user);
  });

  test.each([
    'Basic bWF4',
    'Bearer',
    'Bearer x',
    'Bearer a.b.c',
    'Bearer a.b.c.d.e',
    `${bearer('{"sub":"max"}')} x`,
  ])('of `%s` is unknown', (value) => {
    expect(userWith('{}', value)).toBe('unknown');
  });
});

test.each([
  ['{}', false],
  ['{"entityId":null}', false],
  ['{"entityId":""}', false],
  ['{"entityId":"jane"}', true],
  ['{"\\u0065ntityId":0}', true],
  ['{"entityId":null,"subject":null}', true],
])('whether a request names a user: %s, %j', (vendor, names) => {
  expect(namesUser({ doc: scan(Buffer.from(vendor), 10), node: TOP })).toBe(names);
});
