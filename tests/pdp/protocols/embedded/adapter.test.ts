import { describe, expect, test } from '@jest/globals';
import { TOP } from '../../../../src/core/json/document.ts';
import { scan } from '../../../../src/core/json/scan.ts';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import { readQuestion } from '../../../../src/pdp/protocols/embedded/question.ts';
import { questionOf } from '../../questions.ts';
import { ask, policiesFrom } from './ask.ts';
import { AUDIENCE, bearer, createIdentityProvider, ISSUER, unsignedToken } from './tokens.ts';

/** The question of a request whose `vendor` is spelt so. */
function questionAt(vendor: string) {
  return { ...questionOf({}), vendor: { doc: scan(Buffer.from(vendor), 100), node: TOP } };
}

const POLICIES = policiesFrom('policies: [{ name: P, properties: [v], action: MASK }]');

describe('a question that is not understood', () => {
  test.each([
    ['no JSON', '{', 'The body is not valid JSON.'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'The body is not valid JSON.'],
    ['no object', '[]', 'The body is not a JSON object.'],
    ['nested too deeply', `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`, 'The body nests too deeply.'],
  ])('is refused: %s', async (_, body, reason) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    expect(() => readQuestion(bytes)).toThrow(expect.objectContaining({ status: 400, message: reason }));
  });

  test.each([
    ['{ "entityId": 7 }', '/vendor/entityId', 'is not of the right type'],
    ['{ "entityId": 12345678901234567890 }', '/vendor/entityId', 'is not of the right type'],
    ['{ "entityId": "" }', '/vendor/entityId', 'is not of the right type'],
    ['{ "entityId": null }', '/vendor/entityId', 'is not of the right type'],
    [`{ "entityId": "${'e'.repeat(4097)}" }`, '/vendor/entityId', 'is not of the right type'],
    [`{ "clientSecret": "${'s'.repeat(4097)}" }`, '/vendor/clientSecret', 'is not of the right type'],
    ['{ "entityTypeId": ["Agent"] }', '/vendor/entityTypeId', 'is not of the right type'],
    ['{ "clientId": {} }', '/vendor/clientId', 'is not of the right type'],
    ['{ "clientSecret": null }', '/vendor/clientSecret', 'is not of the right type'],
    ['{ "clientSecret": 815 }', '/vendor/clientSecret', 'is not of the right type'],
    ['{ "includeAssetAttributes": "yes" }', '/vendor/includeAssetAttributes', 'is not of the right type'],
    ['{ "assetList": [{ "template": "T" }] }', '/vendor/assetList/0/path', 'is not of the right type'],
    ['{ "environment": null }', '/vendor/environment', 'is not of the right type'],
    ['{ "environment": 1.10 }', '/vendor/environment', 'is not of the right type'],
    ['{ "resourceTypes": [1.10] }', '/vendor/resourceTypes/0', 'is not of the right type'],
    ['{ "assetList": [1e400] }', '/vendor/assetList/0', 'is not of the right type'],
    [
      '{ "environment": { "resourceFullPath": "m" } }',
      '/vendor/environment/resourceFullPath',
      'is not of the right type',
    ],
    [
      '{ "resourceTypes": [{ "name": "a", "name": "b" }] }',
      '/vendor/resourceTypes/0/name',
      'occurs more than once',
    ],
    ['{ "entityId": "a", "entityId": "b" }', '/vendor/entityId', 'occurs more than once'],
    ['{ "entityId": "a", "\\u0065ntityId": "b" }', '/vendor/entityId', 'occurs more than once'],
    [
      '{ "environment": { "resourceFullPath": [], "resourceFullPath": ["m"] } }',
      '/vendor/environment/resourceFullPath',
      'occurs more than once',
    ],
  ])('is a mistake of the caller, and the answer names its place: %s', async (body, pointer, problem) => {
    const member = pointer.replace('/vendor/', '').replaceAll('/', '.');
    await expect(createEmbeddedPdp({ current: POLICIES }).decide(questionAt(body))).rejects.toMatchObject({
      code: 'request-invalid',
      message: `\`${member}\` ${problem}.`,
      errors: [{ pointer, detail: expect.stringMatching(/^It (?:has to|may)/u) }],
    });
  });

  test.each([
    ['resourceTypes', '1'],
    ['resourceTypes', '"columns"'],
    ['resourceTypes', '{}'],
    ['assetList', '{"path":"p"}'],
    ['assetList', '{"template":"T"}'],
    ['assetList', '{"template":"","path":[]}'],
    ['environment', '1'],
  ])('is answered with a hundred mistakes at most: %s of %s', async (member, element) => {
    const list = `[${Array.from({ length: 10_000 }, () => element).join(',')}]`;
    const body = `{"${member}":${member === 'environment' ? `{"resourceFullPath":${list}}` : list}}`;
    const refused = createEmbeddedPdp({ current: POLICIES }).decide(questionAt(body));
    await expect(refused).rejects.toMatchObject({ code: 'request-invalid' });
    await expect(refused).rejects.toHaveProperty('errors.length', 100);
  });

  test('may not name more than ten thousand asset types', async () => {
    const resourceTypes = Array.from({ length: 10_001 }, () => ({ name: 'columns' }));
    const pdp = createEmbeddedPdp({ current: POLICIES });
    await expect(pdp.decide(questionOf({ resourceTypes }))).rejects.toMatchObject({
      code: 'request-invalid',
      errors: [{ pointer: '/vendor/resourceTypes', detail: 'It may have at most 10000 elements.' }],
    });
    const fewer = { resourceTypes: resourceTypes.slice(1) };
    await expect(pdp.decide(questionOf(fewer))).resolves.toHaveProperty('rules.properties.length', 1);
  });

  test('may have lists that are right, and other members', async () => {
    const types = Array.from({ length: 1000 }, () => ({ name: 'columns', other: [1] }));
    const vendor = { resourceTypes: types, other: [[[{}]]] };
    const { rules } = await createEmbeddedPdp({ current: POLICIES }).decide(questionOf(vendor));
    expect(rules.properties).toHaveLength(1);
  });

  test('is not one if it has members that nobody knows', async () => {
    await expect(ask(POLICIES, { useCache: true, environment: { other: 1 } })).resolves.toEqual(
      await ask(POLICIES, {}),
    );
  });
});

describe('the embedded PDP', () => {
  test('is connected until it is closed', async () => {
    const pdp = createEmbeddedPdp({ current: POLICIES });
    expect(await pdp.connection()).toEqual({ connected: true });
    await pdp.close();
    expect(await pdp.connection()).toEqual({ connected: false, reason: 'The PDP is closed.' });
    await expect(pdp.decide(questionOf({}))).rejects.toMatchObject({ code: 'pdp-unreachable' });
  });

  test('names properties as its policy file does, whatever the service is configured with', async () => {
    const file = policiesFrom(`
attrName: field
policies: [{ name: P, properties: [v], action: MASK, when: { attribute: s, operator: EQUALS, values: [x] } }]`);
    const pdp = createEmbeddedPdp({ current: file });
    const { settings } = questionOf({});
    const alike = await pdp.decide(questionOf({}, { settings: { ...settings, attrName: 'field' } }));
    const { rules } = await pdp.decide(questionOf({}));
    expect(JSON.stringify(rules)).toBe(JSON.stringify(alike.rules));
  });

  test('refuses a token that is not valid as the PDP over HTTP does', async () => {
    const idp = await createIdentityProvider();
    const scope = `{ clientId: app, jwt: { jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE} } }`;
    const file = policiesFrom(`scopes: [${scope}]\npolicies: [{ name: P, properties: [v], action: MASK }]`);
    const headers = bearer(unsignedToken({ sub: 'jane' }));
    await expect(
      createEmbeddedPdp({ current: file }).decide(questionOf({ clientId: 'app' }, { headers })),
    ).rejects.toMatchObject({ code: 'pdp-unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } });
  });

  test('does not have each request warned of a filter that does nothing, as its file was once', async () => {
    const file = policiesFrom(
      'policies: [{ name: P, action: FILTER, when: { attribute: s, operator: EQUALS, values: [x] } }]',
    );
    const { settings } = questionOf({});
    const question = questionOf({}, { settings: { ...settings, filter: false } });
    const { rules } = await createEmbeddedPdp({ current: file }).decide(question);
    expect(rules.hasIdleFilters).toBe(false);
  });

  test('does not answer a question that nobody waits for any more', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(createEmbeddedPdp({ current: POLICIES }).decide(questionOf({}, { signal }))).rejects.toThrow(
      'gone',
    );
  });
});
