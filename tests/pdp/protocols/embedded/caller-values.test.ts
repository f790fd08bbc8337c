import { describe, expect, test } from '@jest/globals';
import { ask, policiesFrom, type Vendor } from './ask.ts';
import { bearer, tokenOf } from './tokens.ts';

/** The values of a condition in the decision. */
async function valuesOf(
  condition: string,
  vendor: Vendor,
  claims?: Record<string, unknown> | string,
): Promise<unknown> {
  const policies = policiesFrom(`
trustUnverifiedClaims: true
policies:
  - { name: P, action: FILTER, when: { attribute: a, ${condition} } }`);
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims);
  const headers = claims === undefined ? [] : bearer(tokenOf('{"alg":"none"}', text));
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

  test('is replaced with every value of a claim that is a list', async () => {
    const condition = `operator: IN, values: ["\${claims['https:regions']}", XX]`;
    expect(await valuesOf(condition, {}, { 'https:regions': ['EU', 'US'] })).toEqual(['EU', 'US', 'XX']);
  });

  test.each(['1', '1.0', '1e0', '1.10', '9007199254740993', '-0', '1e400', '0.1000000000000000055'])(
    'is a number exactly as the token has it: %s',
    async (number) => {
      const condition = 'operator: EQUALS, type: NUMBER, values: ["${claims.id}"]';
      expect(await valuesOf(condition, {}, `{"id":${number}}`)).toEqual([number]);
      expect(await valuesOf(condition, {}, `{"id":[${number}]}`)).toEqual([number]);
    },
  );

  test('is true or false', async () => {
    const condition = 'operator: EQUALS, type: BOOLEAN, values: ["${claims.staff}"]';
    expect(await valuesOf(condition, {}, '{"staff":true}')).toEqual(['true']);
  });

  test('may be a whole number that is written with a fraction or an exponent', async () => {
    const condition = 'operator: EQUALS, type: INTEGER, values: ["${claims.id}"]';
    expect(await valuesOf(condition, {}, '{"id":[5.0,1e2]}')).toEqual(['5.0', '1e2']);
  });

  test('may be written without a list if there is only one', async () => {
    expect(await valuesOf('operator: EQUALS, values: "${entityId}"', { entityId: 'jane' })).toEqual(['jane']);
    expect(await valuesOf('operator: EQUALS, type: INTEGER, values: 1', {})).toEqual(['1']);
  });

  test.each([
    ['operator: EQUALS, values: [TRUE]', ['TRUE']],
    ['operator: EQUALS, values: [True, true, "true"]', ['True', 'true', 'true']],
    ['operator: EQUALS, type: BOOLEAN, values: [FALSE]', ['FALSE']],
    ['operator: EQUALS, values: [1.10, 0x1F, 1_000, +1, .5, 2024-01-01, yes, .inf]', undefined],
    ["operator: EQUALS, type: INTEGER, values: [1.0, 1e2, -2.00E+3, '0']", ['1.0', '1e2', '-2.00E+3', '0']],
    ['operator: CONTAINS, type: DATE, values: [-01-]', ['-01-']],
  ])('is compared as it is written: %s', async (condition, values) => {
    const written = /\[(.*)\]/u.exec(condition)?.[1]?.split(', ');
    expect(await valuesOf(condition, {})).toEqual(values ?? written);
  });

  test.each([
    ['operator: EQUALS, values: ["${entityId}"]', 'entityId'],
    ['operator: EQUALS, values: ["${claims.region}"]', 'bearer token'],
  ])('refuses the question if %s is not known', async (condition, unknown) => {
    await expect(valuesOf(condition, {})).rejects.toMatchObject({
      code: 'pdp-unauthorized',
      callerDetail: `A condition depends on the ${unknown} of the caller, which is not known.`,
    });
  });

  test.each([
    ['a claim that the token lacks', 'operator: EQUALS, values: ["${claims.region}"]', {}],
    ['a claim that is null', 'operator: EQUALS, values: ["${claims.region}"]', { region: null }],
    ['a claim that is an object', 'operator: EQUALS, values: ["${claims.region}"]', { region: { a: 'EU' } }],
    ['a list with an object', 'operator: IN, values: ["${claims.region}"]', { region: ['EU', {}] }],
    ['a list in a list', 'operator: IN, values: ["${claims.region}"]', { region: [['EU']] }],
    ...['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'EQUALS', 'NOT_IN'].flatMap((operator) =>
      ['', [''], ['EU', '']].map(
        (region) =>
          [
            `${JSON.stringify(region)}, which is in every text,`,
            `operator: ${operator}, values: ["\${claims.region}"]`,
            { region },
          ] as const,
      ),
    ),
    ['a claim that is empty', 'operator: NOT_IN, values: ["${claims.region}"]', { region: [] }],
    [
      'a claim of another type',
      'operator: LESS, type: INTEGER, values: ["${claims.region}"]',
      { region: 'EU' },
    ],
    [
      'a whole number that JSON does not have',
      'operator: LESS, type: INTEGER, values: ["${claims.region}"]',
      { region: '05' },
    ],
  ])('refuses the question for %s', async (_, condition, claims) => {
    await expect(valuesOf(condition, {}, claims)).rejects.toMatchObject({
      code: 'pdp-forbidden',
      callerDetail: 'The caller has nothing that "a" can be compared with.',
    });
  });
});
