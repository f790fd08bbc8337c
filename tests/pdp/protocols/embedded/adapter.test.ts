import { describe, expect, test } from '@jest/globals';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import { ask, policiesFrom } from './ask.ts';

const POLICIES = policiesFrom('policies: [{ name: P, properties: [v], action: MASK }]');

function question(body: string | Uint8Array) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { calculationType: 'resolution', headers: [], body: bytes } as const;
}

describe('a question that is not understood', () => {
  test.each([
    ['no JSON', '{', 'The body is not valid JSON.'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'The body is not valid JSON.'],
    ['no object', '[]', 'The body is not a JSON object.'],
    ['an identity that is no text', '{ "entityId": 7 }', '`entityId` is not of the right type.'],
    ['an empty identity', '{ "entityId": "" }', '`entityId` is not of the right type.'],
    [
      'a flag that is none',
      '{ "includeAssetAttributes": "yes" }',
      '`includeAssetAttributes` is not of the right type.',
    ],
    [
      'an asset without a path',
      '{ "assetList": [{ "template": "T" }] }',
      '`assetList.0.path` is not of the right type.',
    ],
    [
      'mappers that are no list',
      '{ "environment": { "resourceFullPath": "m" } }',
      '`environment.resourceFullPath` is not of the right type.',
    ],
  ])('is refused: %s', async (_, body, reason) => {
    await expect(createEmbeddedPdp(POLICIES).decide(question(body))).rejects.toMatchObject({
      code: 'pdp-failed',
      message: `The PDP refused the request: ${reason}`,
    });
  });

  test('is not one where it has members that nobody knows', async () => {
    await expect(ask(POLICIES, { useCache: true, environment: { other: 1 } })).resolves.toBeDefined();
  });
});

describe('the embedded PDP', () => {
  test('is connected until it is closed', async () => {
    const pdp = createEmbeddedPdp(POLICIES);
    expect(await pdp.connection()).toEqual({ connected: true });
    await pdp.close();
    expect(await pdp.connection()).toEqual({ connected: false, reason: 'The PDP is closed.' });
    await expect(pdp.decide(question('{}'))).rejects.toMatchObject({ code: 'pdp-unreachable' });
  });

  test('does not answer a question that nobody waits for any more', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(createEmbeddedPdp(POLICIES).decide({ ...question('{}'), signal })).rejects.toThrow('gone');
  });
});
