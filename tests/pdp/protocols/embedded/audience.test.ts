import { describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../../src/errors.ts';
import { ask, policiesFrom, type Vendor } from './ask.ts';
import { bearer, tokenOf } from './tokens.ts';

/** Whether a policy with these lines is for a caller. */
async function isFor(
  lines: string,
  vendor: Vendor,
  claims?: Record<string, unknown> | string,
): Promise<boolean> {
  const policies = policiesFrom(`
trustUnverifiedClaims: true
policies:
  - name: P
    properties: [v]
    action: MASK
    ${lines}`);
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims);
  const headers = claims === undefined ? [] : bearer(tokenOf('{"alg":"none"}', text));
  return JSON.stringify(await ask(policies, vendor, { headers })).includes('"path":"v"');
}

const JANE = { entityTypeId: 'Agent', entityId: 'jane' };

describe('a policy is for', () => {
  test('everyone, if it names nobody', async () => {
    expect(await isFor('', {})).toBe(true);
  });

  test.each([
    ['for: { entityIds: [jane, max] }', true],
    ['for: { entityIds: [max] }', false],
    ['for: { entityTypes: [Agent] }', true],
    ['for: { entityTypes: [agent] }', false],
    ['for: { entityTypes: [Agent], entityIds: [jane] }', true],
    ['for: { entityTypes: [Manager], entityIds: [jane] }', false],
    ['for: [{ entityTypes: [Manager] }, { entityIds: [jane] }]', true],
    ['for: [{ entityTypes: [Manager] }, { entityIds: [max] }]', false],
    ['except: { entityIds: [jane] }', false],
    ['except: { entityTypes: [Manager] }', true],
    ['for: { entityTypes: [Agent] }, except: { entityIds: [jane] }', false],
    ['for: { entityTypes: [Agent] }, except: { entityIds: [tom] }', true],
  ])('agent jane with `%s`: %s', async (lines, expected) => {
    expect(await isFor(lines.replace(', except', '\n    except'), JANE)).toBe(expected);
  });

  test.each([
    ['$.department', '[support, sales]', true],
    ['$.department', '[Support]', false],
    ['$.roles', '[auditor]', true],
    ['$.roles[*]', '[auditor]', true],
    ['$.roles[1]', '[auditor]', true],
    ['$.roles[0]', '[auditor]', false],
    ["$['https:region']", '[EU]', true],
    ['$["realm access"].roles', '[admin]', true],
    ['$.level', '[3]', true],
    ['$.level', '[4]', false],
    ['$.staff', '[true]', true],
    ['$.nothing', '["null"]', false],
    ['$.absent', '[x]', false],
    ['$.constructor.name', '[Object]', false],
    ['$.department.length', '[7]', false],
    ['$.department[0]', '[s]', false],
    ['$.roles.length', '[2]', false],
  ])('a caller whose claims fit `%s` with %s: %s', async (selector, values, expected) => {
    const claims = {
      department: 'support',
      roles: ['agent', 'auditor'],
      'https:region': 'EU',
      'realm access': { roles: ['admin'] },
      level: 3,
      staff: true,
      nothing: null,
    };
    expect(await isFor(`for: { claims: { ${JSON.stringify(selector)}: ${values} } }`, JANE, claims)).toBe(
      expected,
    );
  });

  test.each([
    ['9007199254740993', '9007199254740993', true],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740994', false],
    ['1.10', '1.10', true],
    ['1.1', '1.10', true],
    ['1', '1.0', true],
    ['1', '1e0', true],
    ['1', '"1"', true],
    ['1.0', '"1"', false],
    ['007', '7', false],
    ['"007"', '"007"', true],
    ['0.30000000000000004', '0.3', false],
    ['true', 'true', true],
    ['"true"', 'true', true],
    ['true', '"TRUE"', false],
    ['TRUE', '"TRUE"', true],
    ['EU', '["EU"]', true],
    ['"é"', '"e\\u0301"', false],
    ['"é"', '"\\u00e9"', true],
  ])('a caller with a value as listed: %s, and in the token %s: %s', async (listed, claim, expected) => {
    expect(await isFor(`for: { claims: { $.a: [${listed}] } }`, JANE, `{"a":${claim}}`)).toBe(expected);
  });

  test.each(['{"a":{"b":"x"}}', '{"a":[["x"]]}', '{"a":["x",{}]}'])(
    'nobody knows whom if the claim cannot be compared: %s',
    async (claims) => {
      for (const list of ['for', 'except']) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await expect(isFor(`${list}: { claims: { $.a: [x] } }`, JANE, claims)).rejects.toMatchObject({
          code: 'pdp-unauthorized',
          callerDetail: 'The policy "P" depends on the claim of the caller, which is not known.',
        });
      }
    },
  );

  test('a caller whose token has a name twice is as unknown as one without a token', async () => {
    const claims = '{"a":"x","a":"y"}';
    await expect(isFor('for: { claims: { $.a: [x] } }', JANE, claims)).rejects.toMatchObject({
      callerDetail: expect.stringContaining('bearer token'),
    });
  });

  test('a caller who fits every one of several claims', async () => {
    const lines = 'for: { claims: { $.a: [x], $.b: [y] } }';
    expect(await isFor(lines, JANE, { a: 'x', b: 'y' })).toBe(true);
    expect(await isFor(lines, JANE, { a: 'x', b: 'z' })).toBe(false);
  });
});

describe('what is not known of a caller', () => {
  test.each([
    ['for: { entityIds: [jane] }', {}, 'entityId'],
    ['except: { entityIds: [jane] }', {}, 'entityId'],
    ['for: { entityTypes: [Agent] }', { entityId: 'jane' }, 'entityTypeId'],
    ['except: { entityTypes: [Agent] }', { entityId: 'jane' }, 'entityTypeId'],
    ['for: { claims: { $.department: [support] } }', JANE, 'bearer token'],
    ['for: { entityTypes: [Agent], claims: { $.department: [support] } }', JANE, 'bearer token'],
    ['for: [{ entityTypes: [Manager] }, { claims: { $.department: [support] } }]', JANE, 'bearer token'],
  ])('refuses the question if `%s` depends on it', async (lines, vendor, unknown) => {
    await expect(isFor(lines, vendor)).rejects.toMatchObject({
      code: 'pdp-unauthorized',
      callerDetail: `The policy "P" depends on the ${unknown} of the caller, which is not known.`,
    } satisfies Partial<ServiceError>);
  });

  test.each([
    ['for: { entityTypes: [Manager], claims: { $.department: [support] } }', false],
    ['for: { claims: { $.department: [support] } }, except: { entityTypes: [Agent] }', false],
    ['for: [{ claims: { $.department: [support] } }, { entityTypes: [Agent] }]', true],
    ['for: { entityTypes: [Manager] }, except: { claims: { $.department: [support] } }', false],
  ])('does not matter if the rest of `%s` decides', async (lines, expected) => {
    expect(await isFor(lines.replace(', except', '\n    except'), JANE)).toBe(expected);
  });

  test('does not matter for policies of another asset type', async () => {
    const policies = policiesFrom(`
policies:
  - { name: P, assetType: documents, properties: [v], action: MASK, for: { entityIds: [jane] } }
  - { name: Q, properties: [v], action: MASK }`);
    await expect(ask(policies, { resourceTypes: [{ name: 'columns' }] })).resolves.toHaveProperty(
      'response.0.access.length',
      1,
    );
  });
});
