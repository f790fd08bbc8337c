import { describe, expect, test } from '@jest/globals';
import { ask, policiesFrom, type Vendor } from './ask.ts';
import { bearer, unsignedToken } from './tokens.ts';

/** The values of a condition in the decision. */
async function valuesOf(
  condition: string,
  vendor: Vendor,
  claims?: Record<string, unknown>,
): Promise<unknown> {
  const policies = policiesFrom(`
trustUnverifiedClaims: true
policies:
  - { name: P, action: FILTER, when: { attribute: a, ${condition} } }`);
  const headers = claims === undefined ? [] : bearer(unsignedToken(claims));
  const answer = JSON.stringify(await ask(policies, vendor, { headers }));
  return JSON.parse(/"values":(\[[^\]]*\])/.exec(answer)?.[1] ?? 'null');
}

describe('a value of a condition', () => {
  test('is the user of the question for ${entityId}', async () => {
    const condition = 'operator: IN, values: [nobody, "${entityId}"]';
    expect(await valuesOf(condition, { entityId: 'jane' })).toEqual(['nobody', 'jane']);
  });

  test('is a claim of the token for ${claims…}', async () => {
    const condition = 'operator: EQUALS, values: ["${claims.address.country}"]';
    expect(await valuesOf(condition, {}, { address: { country: 'DE' } })).toEqual(['DE']);
  });

  test('stands for every value of a claim that is a list', async () => {
    const condition = `operator: IN, values: ["\${claims['https:regions']}", XX]`;
    expect(await valuesOf(condition, {}, { 'https:regions': ['EU', 'US'] })).toEqual(['EU', 'US', 'XX']);
  });

  test.each([
    ['operator: EQUALS, values: ["${entityId}"]', 'entityId'],
    ['operator: EQUALS, values: ["${claims.region}"]', 'bearer token'],
  ])('refuses the question where %s is not known', async (condition, unknown) => {
    await expect(valuesOf(condition, {})).rejects.toMatchObject({
      code: 'pdp-unauthorized',
      message: `A condition depends on the ${unknown} of the caller, which is not known.`,
    });
  });

  test.each([
    ['a claim that the token lacks', 'operator: EQUALS, values: ["${claims.region}"]', {}],
    ['a claim that is empty', 'operator: NOT_IN, values: ["${claims.region}"]', { region: [] }],
    [
      'a claim of another type',
      'operator: LESS, type: INTEGER, values: ["${claims.region}"]',
      { region: 'EU' },
    ],
  ])('refuses the question for %s', async (_, condition, claims) => {
    await expect(valuesOf(condition, {}, claims)).rejects.toMatchObject({
      code: 'pdp-forbidden',
      message: 'The caller has nothing that "a" can be compared with.',
    });
  });
});
