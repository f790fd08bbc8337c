import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { UnsecuredJWT } from 'jose';
import { TOP } from '../../../../src/core/json/document.ts';
import { scan } from '../../../../src/core/json/scan.ts';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import { KnownDecisions } from '../../../../src/pdp/protocols/embedded/known-decisions.ts';
import type { Pdp } from '../../../../src/pdp/port.ts';
import { questionInContext, questionOf } from '../../questions.ts';
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

/** What a question and the policies at its time are made of. */
const PARTS = {
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
};
const first = fc.record(PARTS);
/** One part in the place of another. */
const change = first.chain((other) =>
  fc.constantFrom(...Object.entries(other).map(([name, value]) => ({ [name]: value }))),
);
type Parts = typeof first extends fc.Arbitrary<infer T> ? T : never;

/** A few that differ in one part from the first, each of which comes again and again. */
const questions = fc
  .tuple(first, fc.array(change, { minLength: 1, maxLength: 3 }))
  .chain(([one, changes]) =>
    fc.array(fc.constantFrom(one, ...changes.map((other): Parts => ({ ...one, ...other }))), {
      minLength: 10,
      maxLength: 30,
    }),
  )
  .map((all) => all.map(asked));

function asked({ vendor, assetType, token, calculationType, version, isShared }: Parts) {
  const plain = isShared ? sharedQuestion(vendor) : questionOf(vendor);
  const headers = token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const];
  const settings = { ...plain.settings, assetType };
  return { version, question: { ...plain, headers, calculationType, settings } };
}

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
    fc.asyncProperty(questions, async (all) => {
      const policies: { current: (typeof VERSIONS)[number] } = { current: VERSIONS[0] };
      const pdp = createEmbeddedPdp(policies);
      for (const { version, question } of all) {
        policies.current = version;
        const anew = createEmbeddedPdp({ current: version });
        // oxlint-disable-next-line no-await-in-loop -- one question after another
        expect(await outcomeOf(pdp, question)).toEqual(await outcomeOf(anew, question));
      }
    }),
    { numRuns: 150 },
  );
});

test('a decision has another fingerprint if short values are shown', async () => {
  const fingerprints = [FIRST, `maskShort: false\n${FIRST}`].map((text) =>
    outcomeOf(
      createEmbeddedPdp({ current: policiesFrom(text) }),
      questionOf({ entityId: 'jane', entityTypeId: 'Agent' }),
    ),
  );
  const [hidden, shown] = await Promise.all(fingerprints);
  expect(_.get(hidden, 'fingerprint')).toContain('"MASK"');
  expect(_.get(shown, 'fingerprint')).not.toEqual(_.get(hidden, 'fingerprint'));
});

test('the very same question is decided anew once the policies have changed', async () => {
  const policies: { current: (typeof VERSIONS)[number] } = { current: VERSIONS[0] };
  const pdp = createEmbeddedPdp(policies);
  const question = questionOf({ entityId: 'jane', entityTypeId: 'Agent' });
  expect(await outcomeOf(pdp, question)).toHaveProperty('rules', expect.stringContaining('"a"'));
  policies.current = VERSIONS[1];
  expect(await outcomeOf(pdp, question)).toHaveProperty('rules', expect.not.stringContaining('"a"'));
});

test('the very same question has another decision in context', async () => {
  const pdp = createEmbeddedPdp({ current: VERSIONS[0] });
  const question = questionOf({
    entityId: 'jane',
    entityTypeId: 'Agent',
    resourceTypes: [{ name: 'Branch' }],
    assetList: [{ template: 'Branch', path: 'x' }],
  });
  const shown = expect.stringContaining('"D"');
  expect(await outcomeOf(pdp, question)).toHaveProperty('fingerprint', expect.not.stringContaining('"D"'));
  expect(await outcomeOf(pdp, { ...question, calculationType: 'context' })).toHaveProperty(
    'fingerprint',
    shown,
  );
});

test('the same question about other assets has another decision', async () => {
  const pdp = createEmbeddedPdp({
    current: policiesFrom(
      'policies: [{ name: P, properties: [p], action: MASK, assets: { type: T, ids: all } }]',
    ),
  });
  const vendor = { entityId: 'jane' };
  const [one, other] = await Promise.all(
    ['a', 'b'].map((id) => outcomeOf(pdp, questionInContext(vendor, { type: 'T', ids: [id] }))),
  );
  expect(_.get(other, 'fingerprint')).not.toEqual(_.get(one, 'fingerprint'));
});

test('the very same question has another decision once it is about assets', async () => {
  const pdp = createEmbeddedPdp({ current: VERSIONS[0] });
  const inContext = questionInContext(
    { entityId: 'jane', entityTypeId: 'Agent' },
    { type: 'Branch', ids: ['x'] },
  );
  const aboutNone = await outcomeOf(pdp, { ...inContext, assets: undefined });
  expect(aboutNone).toHaveProperty('fingerprint', expect.not.stringContaining('"D"'));
  expect(await outcomeOf(pdp, inContext)).toHaveProperty('fingerprint', expect.stringContaining('"D"'));
});

test('a decision has another fingerprint if its conditions are about names of properties', async () => {
  const policies = `
policies: [{ name: P, properties: all, action: MASK, when: { attribute: column, operator: EQUALS, values: [ssn] } }]`;
  const [column, field] = await Promise.all(
    ['column', 'field'].map((name) =>
      outcomeOf(createEmbeddedPdp({ current: policiesFrom(`attrName: ${name}${policies}`) }), questionOf({})),
    ),
  );
  expect(_.get(field, 'fingerprint')).not.toEqual(_.get(column, 'fingerprint'));
});

describe('what is known', () => {
  const known = new KnownDecisions();
  const [file] = VERSIONS;

  test('does not hold secrets', () => {
    expect(known.ask(questionOf({ entityId: 'jane' }))).toHaveProperty('key', expect.any(String));
    expect(known.ask(questionOf({ clientId: 'app', clientSecret: 's' }))).toHaveProperty('key', undefined);
  });

  test.each([
    [10, true],
    [3000, false],
  ])('is the question in a request of %i bytes: %j', (length, isKnown) => {
    const doc = scan(Buffer.from(`{}${' '.repeat(length)}`), 1);
    const question = questionOf({}, { vendor: { doc, node: TOP } });
    expect(known.ask(question) === known.ask(question)).toBe(isKnown);
  });

  test('is no question about an asset type with a long name', () => {
    const { settings } = questionOf({});
    const keyOf = (assetType: string) =>
      known.ask(questionOf({}, { settings: { ...settings, assetType } })).key;
    expect(keyOf('x'.repeat(100))).toEqual(expect.any(String));
    expect(keyOf('x'.repeat(3000))).toBe(undefined);
  });

  test.each([
    ['client', { clientId: 'other' }],
    ['user', { entityId: 'joe' }],
    ['type of user', { entityTypeId: 'Manager' }],
    ['token', { claims: scan(Buffer.from('{}'), 1) }],
  ])('is not the decision for another %s that asks the very same', (_name, other) => {
    const caller = { clientId: 'app', entityId: 'jane', entityTypeId: 'Agent' };
    const question = known.ask(questionOf({ clientId: 'app' }));
    const decision = known.decide(file, 'resolution', question, caller);
    expect(known.decide(file, 'resolution', question, { ...caller })).toBe(decision);
    expect(known.decide(file, 'resolution', question, { ...caller, ...other })).not.toBe(decision);
  });

  test.each([
    [10, true],
    [3000, false],
  ])('is the decision for a token of %i bytes: %j', (length, isKnown) => {
    const claims = scan(Buffer.from(JSON.stringify({ sub: 's'.repeat(length) })), 1);
    const caller = { entityTypeId: 'Agent', entityId: 'jane' };
    const question = known.ask(questionOf(caller));
    const [one, other] = [1, 2].map(() => known.decide(file, 'resolution', question, { ...caller, claims }));
    expect(one === other).toBe(isKnown);
  });
});
