import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { sampleCurl } from '../../scripts/demo/curl.ts';
import { loadConfiguration } from '../../src/config/open.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, problemIn } from '../support/caller.ts';
import { startService } from '../support/service.ts';
import { curlIn } from './curl.ts';
import { fencesIn } from './markdown.ts';

const fences = fencesIn(readFileSync('README.md', 'utf8'));

afterEach(closeAll);

async function startSample() {
  const { policyFile, attrName, object, filter } = await loadConfiguration('examples/config.yaml');
  return startService({ policyFile, attrName, object, filter });
}

describe('README.md', () => {
  const curl = fences.findIndex(({ text }) => text.startsWith('curl '));

  test('has the curl that the running service prints', () => {
    expect(fences[curl]?.text).toBe(sampleCurl(5002));
  });

  test('has the answer to its curl, byte for byte', async () => {
    const { port } = await startSample();
    const { headers, body } = curlIn(fences[curl]?.text ?? '');
    const answer = await call(port, { headers, body });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(fences[curl + 1]?.text);
  });

  test('has the problem that a request without a payload is answered with', async () => {
    const { port } = await startSample();
    const answer = await call(port, { body: '{"parameters":{},"vendor":{}}' });
    const shown: object = JSON.parse(fences.find(({ text }) => text.includes('urn:'))?.text ?? '');
    expect({ ...problemIn(answer), instance: '' }).toEqual({ ...shown, instance: '' });
  });
});
