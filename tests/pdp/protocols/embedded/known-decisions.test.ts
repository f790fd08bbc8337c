import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { UnsecuredJWT } from 'jose';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import type { Pdp } from '../../../../src/pdp/port.ts';
import { questionOf } from '../../questions.ts';
import { policiesFrom } from './ask.ts';

type Question = Parameters<Pdp['decide']>[0];

const FIRST = `
trustUnverifiedClaims: true
policies:
  - { name: A, properties: [a], except: { entityTypes: [Manager] }, action: MASK }
  - { name: B, properties: [b], when: { attribute: owner, operator: EQUALS, values: ["\${entityId}"] }, action: MASK }
  - { name: C, assetType: accounts, properties: [c], when: { attribute: owner, operator: EQUALS, values: ["\${claims.sub}"] }, action: MASK }
  - { name: D, assetType: branches, assets: { type: Branch, ids: [x] }, properties: [d], action: MASK }
`;
const VERSIONS = [policiesFrom(FIRST), policiesFrom(FIRST.replace('[a]', '[z]'))] as const;

const tokens = [undefined, 'jane', 'joe'].map((sub) =>
  sub === undefined ? undefined : new UnsecuredJWT({ sub }).encode(),
);

/** Places ask about the same object again if requests do not change it. */
const sharedQuestion = _.memoize(
  (vendor: object) => questionOf(vendor),
  (vendor) => JSON.stringify(vendor),
);

/** Few of each, so that most come again. */
const questions = fc
  .record({
    vendor: fc.record(
      {
        entityId: fc.constantFrom('jane', 'joe', '', 'jane"'),
        entityTypeId: fc.constantFrom('Manager', 'Agent'),
        resourceTypes: fc.constantFrom([], [{ name: 'accounts' }], [{ name: 'other' }]),
      },
      { requiredKeys: [] },
    ),
    assetType: fc.constantFrom('columns', 'accounts', 'branches'),
    token: fc.constantFrom(...tokens),
    calculationType: fc.constantFrom('resolution' as const, 'context' as const),
    version: fc.constantFrom(...VERSIONS),
    isShared: fc.boolean(),
  })
  .map(({ vendor, assetType, token, calculationType, version, isShared }) => {
    const plain = isShared ? sharedQuestion(vendor) : questionOf(vendor);
    const headers = token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const];
    const settings = { ...plain.settings, assetType };
    return { version, question: { ...plain, headers, calculationType, settings } };
  });

/** The decision in full, or what the question is refused with. */
async function outcomeOf(pdp: Pdp, question: Question): Promise<unknown> {
  try {
    const { fingerprint, validForSeconds, rules } = await pdp.decide(question);
    return {
      fingerprint: Buffer.from(fingerprint).toString(),
      validForSeconds,
      rules: JSON.stringify(rules),
    };
  } catch (error) {
    return error;
  }
}

test('a known decision equals a new one, no matter who asked before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(questions, { minLength: 20, maxLength: 60 }), async (asked) => {
      const policies: { current: (typeof VERSIONS)[number] } = { current: VERSIONS[0] };
      const pdp = createEmbeddedPdp(policies);
      for (const { version, question } of asked) {
        policies.current = version;
        const anew = createEmbeddedPdp({ current: version });
        // oxlint-disable-next-line no-await-in-loop -- one question after another
        expect(await outcomeOf(pdp, question)).toEqual(await outcomeOf(anew, question));
      }
    }),
    { numRuns: 40 },
  );
});
