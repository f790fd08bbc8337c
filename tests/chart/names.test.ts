import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { loadPolicyFile } from '../../src/pdp/protocols/embedded/policy-file/load.ts';
import { startPdpServer } from '../../src/pdp/protocols/embedded/server.ts';
import { startStubPdp } from '../pdp/stub.ts';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { startService } from '../support/service.ts';
import { render } from './support/helm.ts';
import { dataOf, theOnly, type Manifest } from './support/manifest.ts';
import { MASKED_RECORDS, MASKS, MASKS_REQUEST } from './support/masks.ts';
import { SAMPLE } from './support/matrix.ts';
import { folderWith } from './support/pod.ts';
import { describeChart } from './support/tools.ts';
import { renderFile, VALUES_FILES } from './support/values-files.ts';

/** What is about the pod, or about the PDP's address, and not about enforcement. */
const ELSEWHERE = ['port', 'host', 'health', 'metrics', 'tls', 'tracing', 'log'];
const PDP = ['pdpUrl', 'pdpHost', 'pdpPort', 'pdpTls', 'pdpResolutionPath', 'pdpTokenPath', 'policyFile'];

const configuration = z.record(z.string(), z.unknown());

afterEach(closeAll);

function configured(manifests: readonly Manifest[]): z.output<typeof configuration> {
  const name = 'my-authz-jsonmasking';
  return configuration.parse(parse(dataOf(theOnly(manifests, 'ConfigMap', name), 'config.yaml')));
}

/** The test's policies in a file with the names that the rendered one has. */
function policyFile(manifests: readonly Manifest[]): string {
  const written = manifests.flatMap(({ kind, ...rest }) => {
    const text: unknown = kind === 'ConfigMap' ? lodash.get(rest, ['data', 'policies.yaml']) : undefined;
    return typeof text === 'string' ? [configuration.parse(parse(text))] : [];
  });
  const names = lodash.pick(written[0], ['attrName', 'object', 'assetType']);
  const text = stringify({ ...names, policies: MASKS });
  return path.join(folderWith({ 'policies.yaml': text }), 'policies.yaml');
}

/** Serves the policies as the PDP does that the configuration names. */
async function servePdp(file: string): Promise<string> {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const pdp = await startPdpServer({
    policies: { current: loadPolicyFile(file) },
    port: 0,
    host: '127.0.0.1',
    logger,
  });
  stopLater(() => pdp.close());
  return `http://127.0.0.1:${pdp.port}`;
}

/** Answers as OPA does, with the policies as the rules of a rules document. */
async function startOpa(): Promise<string> {
  const rules = MASKS.map(({ name, ...rule }) => ({ policy: name, ...rule }));
  const opa = await startStubPdp({ body: JSON.stringify({ result: { rules } }) });
  stopLater(() => opa.close());
  return `${opa.url.origin}/v1/data/masking/decision`;
}

/** Where the test's policies are decided on, in the protocol that the service is configured for. */
async function pdpFor(written: z.output<typeof configuration>, file: string): Promise<object> {
  if ('policyFile' in written) return { policyFile: file };
  return { pdpUrl: await (written['pdpProtocol'] === 'opa' ? startOpa() : servePdp(file)) };
}

/** What the installed service makes of the payload. */
async function enforced(manifests: readonly Manifest[]): Promise<unknown> {
  const written = configured(manifests);
  const pdp = await pdpFor(written, policyFile(manifests));
  const { url } = await startService({ ...lodash.omit(written, ELSEWHERE, PDP), ...pdp });
  const response = await fetch(`${url}/enforce`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(MASKS_REQUEST),
  });
  return response.json();
}

const FILES = VALUES_FILES.filter(({ text }) => !text.includes('existingConfigMap:'));

describeChart('A denied, a conditional and a plain mask hold', () => {
  it.each(FILES)('with $name in $page', async (file) => {
    expect(await enforced(renderFile(file))).toEqual(MASKED_RECORDS);
  });

  it('with the sample values', async () => {
    expect(await enforced(render(SAMPLE))).toEqual(MASKED_RECORDS);
  });

  it('with the agent, as its notes say to switch the authorizer on', async () => {
    const values = { 'authz-jsonmasking': { enabled: true } };
    expect(await enforced(render(values, { chart: 'policy-agent' }))).toEqual(MASKED_RECORDS);
  });

  it('with the agent, if its PDP answers with other names', async () => {
    const names = { attrName: 'field', object: 'prefix' };
    const values = {
      pdp: { policies: { ...names, policies: MASKS } },
      'authz-jsonmasking': { enabled: true, config: names },
    };
    expect(await enforced(render(values, { chart: 'policy-agent' }))).toEqual(MASKED_RECORDS);
  });

  it('with the example of a sidecar', async () => {
    expect(await enforced(render({}, { chart: 'example-microservice' }))).toEqual(MASKED_RECORDS);
  });

  it('is tried with every other values file than the one without a configuration', () => {
    expect(VALUES_FILES.filter((file) => !FILES.includes(file)).map(({ name }) => name)).toEqual([
      'existing.yaml',
    ]);
  });
});
