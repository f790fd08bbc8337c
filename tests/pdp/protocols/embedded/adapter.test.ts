import { describe, expect, test } from '@jest/globals';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import { readQuestion } from '../../../../src/pdp/protocols/embedded/question.ts';
import { questionOf } from '../../questions.ts';
import { ask, policiesFrom } from './ask.ts';

const POLICIES = policiesFrom('policies: [{ name: P, properties: [v], action: MASK }]');

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
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    expect(() => readQuestion(bytes)).toThrow(expect.objectContaining({ status: 400, message: reason }));
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
    await expect(pdp.decide(questionOf({}))).rejects.toMatchObject({ code: 'pdp-unreachable' });
  });

  test('does not answer a question that nobody waits for any more', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(createEmbeddedPdp(POLICIES).decide(questionOf({}, { signal }))).rejects.toThrow('gone');
  });
});
