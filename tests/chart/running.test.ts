import { afterEach, expect, it, jest } from '@jest/globals';
import lodash from 'lodash';
import * as z from 'zod';
import { eventually } from '../support/eventually.ts';
import { render, type Rendering, type Values } from './support/helm.ts';
import { podOf, theOnly, type Container, type Manifest, type PodSpec } from './support/manifest.ts';
import { MINIMAL, SAMPLE, VARIANTS } from './support/matrix.ts';
import {
  answering,
  checkConfiguration,
  runContainer,
  startContainer,
  stopContainer,
  stopContainers,
} from './support/pod.ts';
import { freePort } from '../../scripts/tools/free-port.ts';
import { describeChart } from './support/tools.ts';

interface Placed {
  readonly container: Container;
  readonly pod: PodSpec;
}

/** The container that runs the service, or another image, in one of the resources. */
function placed(manifest: Manifest, name: string): Placed {
  const pod = podOf(manifest);
  const container = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].find(
    (one) => one.name === name,
  );
  if (pod === undefined || container === undefined) throw new Error(`There is no container ${name}`);
  return { container, pod };
}

const ports = z.array(z.object({ name: z.string(), containerPort: z.number() }));
const httpGet = z.object({ path: z.string(), port: z.string() });

/** Whether a probe over HTTP succeeds; the pod is this machine. */
async function succeeds(container: Container, probe: string): Promise<boolean> {
  const { path, port } = httpGet.parse(lodash.get(container, [probe, 'httpGet']));
  const { containerPort } = ports.parse(container['ports']).find(({ name }) => name === port) ?? {};
  return fetch(`http://127.0.0.1:${containerPort}${path}`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Waits until a microservice that stops answers, and asks its callers to go elsewhere. */
async function leaving(url: string): Promise<void> {
  await eventually(async () => (await fetch(url)).headers.get('connection') === 'close');
}

/** The resources of a release, whose containers are started on this machine, and its test. */
class Release {
  readonly #manifests: readonly Manifest[];

  constructor(values: Values, rendering: Rendering = {}) {
    this.#manifests = render(values, rendering);
  }

  start(deployment: string, name: string) {
    const { container, pod } = this.#placed(deployment, name);
    return startContainer(container, pod, this.#manifests);
  }

  /** Makes the probes of a container as the kubelet does, and returns which of them succeed. */
  probe(deployment: string, name: string): Promise<readonly boolean[]> {
    const { container } = this.#placed(deployment, name);
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'];
    return Promise.all(probes.map((probe) => succeeds(container, probe)));
  }

  helmTest(container: 'enforce' | 'decide' = 'enforce') {
    const tests = this.#manifests.filter(({ kind }) => kind === 'Pod');
    const test = tests.find((one) => podOf(one)?.containers.some(({ name }) => name === container));
    if (test === undefined) throw new Error(`No test has the container ${container}`);
    const { pod, container: found } = placed(test, container);
    return runContainer(found, pod, this.#manifests);
  }

  #placed(deployment: string, name: string): Placed {
    return placed(theOnly(this.#manifests, 'Deployment', deployment), name);
  }
}

// It starts several processes, which drain when they stop.
jest.setTimeout(120_000);
afterEach(stopContainers);

describeChart('What the chart installs', () => {
  it('masks the sample, as helm test finds', async () => {
    const port = await freePort();
    const release = new Release(lodash.merge({}, SAMPLE, { config: { port } }));
    const child = release.start('my-authz-jsonmasking', 'authz-jsonmasking');
    await answering(`http://127.0.0.1:${port}/health/readiness`);
    expect(await release.helmTest()).toEqual({ status: 0, output: expect.stringMatching(/^Enforced:/) });
    expect(await stopContainer(child)).toBe(0);
  });

  it('fails helm test if the answer is not the expected one, or if none comes', async () => {
    const port = await freePort();
    const values = lodash.set(lodash.merge({}, SAMPLE, { config: { port } }), 'test.expected', { id: 'c2' });
    const release = new Release(values);
    expect(await release.helmTest()).toEqual({
      status: 1,
      output: expect.stringContaining('cannot be reached'),
    });
    release.start('my-authz-jsonmasking', 'authz-jsonmasking');
    await answering(`http://127.0.0.1:${port}/health/readiness`);
    expect(await release.helmTest()).toEqual({
      status: 1,
      output: expect.stringContaining('but the answer is'),
    });
  });

  it('has metrics for every alert', async () => {
    const [port, metrics] = await Promise.all([freePort(), freePort()]);
    const config = { port, metrics: { port: metrics } };
    const values = { ...lodash.merge({}, SAMPLE, { config }), prometheusRule: { enabled: true } };
    const release = new Release(values);
    release.start('my-authz-jsonmasking', 'authz-jsonmasking');
    await answering(`http://127.0.0.1:${metrics}/metrics`);
    const scraped = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    const rules = JSON.stringify(theOnly(render(values), 'PrometheusRule'));
    // A recorded series has colons in its name.
    const names = rules.match(/(?<![:\w])authz_jsonmasking_[a-z_]+(?![:\w])/g) ?? [];
    expect(new Set(names).size).toBeGreaterThan(3);
    for (const name of names) expect(scraped).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
  });

  it('fails a pod at start, in the words of the service, if a wrong configuration slips past the chart', () => {
    const values = lodash.merge({}, MINIMAL, { config: { maxBody: 0 }, existingConfigMap: '' });
    const manifests = render(MINIMAL).map((manifest) => lodash.cloneDeep(manifest));
    lodash.set(theOnly(manifests, 'ConfigMap'), ['data', 'config.yaml'], JSON.stringify(values['config']));
    const { container, pod } = placed(theOnly(manifests, 'Deployment'), 'authz-jsonmasking');
    const ofAnyRevision = { ...container, args: container.args.slice(0, 2) };
    const { status, output } = checkConfiguration(ofAnyRevision, pod, manifests);
    expect(status).toBe(1);
    expect(output).toContain('maxBody must be an integer from 1 to 256');
  });

  it('fails a pod that starts again with the configuration of another revision', () => {
    const manifests = render(MINIMAL);
    const others = render(lodash.merge({}, MINIMAL, { config: { filter: false } }));
    const { container, pod } = placed(theOnly(manifests, 'Deployment'), 'authz-jsonmasking');
    expect(checkConfiguration(container, pod, manifests)).toMatchObject({ status: 0 });
    expect(checkConfiguration(container, pod, others)).toEqual({
      status: 1,
      output: expect.stringContaining('is not the file that the service is to start with (--config-sha256)'),
    });
  });
});

describeChart('The agent', () => {
  it('masks by its own PDP once the authorizer is switched on, with nothing else', async () => {
    const [port, pdpPort] = await Promise.all([freePort(), freePort()]);
    const release = new Release(
      {
        // A Service of this name is this machine.
        global: { policyAgent: { pdp: { host: 'localhost', port: pdpPort } } },
        'authz-jsonmasking': { enabled: true, config: { port } },
      },
      { chart: 'policy-agent' },
    );
    release.start('localhost', 'pdp');
    release.start('my-authz-jsonmasking', 'authz-jsonmasking');
    await answering(`http://127.0.0.1:${port}/health/readiness`);
    expect(await release.helmTest()).toEqual({ status: 0, output: 'Enforced: {"id":"***","name":"***"}\n' });
  });
});

/** The agent with policies, which is this machine, and where its PDP says that it is ready. */
async function agentOf(policies: Values, test: Values = {}) {
  const port = await freePort();
  const pdp = { host: 'localhost', port };
  return {
    url: `http://127.0.0.1:${port}/health/readiness`,
    release: new Release(
      { global: { policyAgent: { pdp } }, pdp: { policies }, test },
      { chart: 'policy-agent' },
    ),
  };
}

describeChart('helm test of the agent', () => {
  const POLICIES = { policies: [{ name: 'Names', properties: ['name'], action: 'MASK' }] };

  it('has the PDP decide, and enforces the decision', async () => {
    const { url, release } = await agentOf(POLICIES);
    release.start('localhost', 'pdp');
    await answering(url);
    expect(await release.helmTest('decide')).toEqual({
      status: 0,
      output: 'Decided: {"id":"c1","name":"***"}\n',
    });
  });

  it('asks by the names that the policies have', async () => {
    const names = { attrName: 'field', object: 'prefix' };
    const when = { attribute: 'id', operator: 'EQUALS', values: ['c1'] };
    const policies = [{ name: 'Names', properties: ['name'], action: 'MASK', when }];
    const { url, release } = await agentOf({ ...names, policies });
    release.start('localhost', 'pdp');
    await answering(url);
    expect(await release.helmTest('decide')).toEqual({
      status: 0,
      output: 'Decided: {"id":"c1","name":"***"}\n',
    });
  });

  it('fails if the decision leaves something else, or the PDP does not answer', async () => {
    const test = { request: { json: { name: 'Ann' } }, expected: { name: 'Ann' } };
    const { url, release } = await agentOf(POLICIES, test);
    expect(await release.helmTest('decide')).toMatchObject({
      status: 1,
      output: expect.stringContaining('The PDP does not decide'),
    });
    release.start('localhost', 'pdp');
    await answering(url);
    expect(await release.helmTest('decide')).toEqual({
      status: 1,
      output: 'Expected {"name":"Ann"}, but the PDP\'s decision leaves {"name":"***"}\n',
    });
  });
});

describeChart('A microservice with a sidecar', () => {
  it.each([['native'], ['container']])('answers with what the %s beside it leaves to see', async (mode) => {
    const [port, own, healthPort] = await Promise.all([freePort(), freePort(), freePort()]);
    const release = new Release(
      { port: own, 'authz-jsonmasking': { config: { port, drainDelay: 0 }, sidecar: { mode, healthPort } } },
      { chart: 'example-microservice' },
    );
    expect(await release.probe('my-orders', 'authz-jsonmasking')).toEqual([false, false, false]);
    release.start('my-orders', 'authz-jsonmasking');
    const orders = release.start('my-orders', 'orders');
    await answering(`http://127.0.0.1:${own}/`);
    expect(await (await fetch(`http://127.0.0.1:${own}/`)).json()).toEqual([
      { id: 1, item: 'Desk', card: '************1111', ssn: '***' },
      { id: 2, item: 'Lamp', card: '************0004', ssn: '***' },
    ]);
    expect(await release.probe('my-orders', 'authz-jsonmasking')).toEqual([true, true, true]);
    orders.kill('SIGTERM');
    await leaving(`http://127.0.0.1:${own}/health`);
    expect(await stopContainer(orders)).toBe(0);
  });

  it('answers nothing rather than something unmasked if the sidecar is not there', async () => {
    const own = await freePort();
    const release = new Release(
      { port: own, 'authz-jsonmasking': { config: { port: await freePort() } } },
      { chart: 'example-microservice' },
    );
    release.start('my-orders', 'orders');
    await answering(`http://127.0.0.1:${own}/health`);
    const answer = await fetch(`http://127.0.0.1:${own}/`);
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 502, body: '' });
  });
});

describeChart('The rendered configuration', () => {
  const rendered = VARIANTS.filter(
    ({ values }) => !('existingConfigMap' in values || 'existingPoliciesConfigMap' in values),
  );
  // The agent has the service only if it is enabled.
  const variants = rendered.filter(
    ({ chart, values }) => chart !== 'policy-agent' || 'authz-jsonmasking' in values,
  );

  it.each(variants)('is accepted by the service itself with $name', ({ chart, values }) => {
    const manifests = render(lodash.omit(values, 'extraArgs', 'config.tls', 'certificates'), { chart });
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    const found = deployments.flatMap((manifest) => {
      const pod = podOf(manifest);
      const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
      return containers
        .filter(({ name }) => name === 'authz-jsonmasking')
        .map((container) => ({ container, pod }));
    });
    expect(found).not.toEqual([]);
    for (const { container, pod } of found) {
      if (pod === undefined) continue;
      const withoutMore = { ...container, volumeMounts: container.volumeMounts.slice(0, 1) };
      expect(checkConfiguration(withoutMore, pod, manifests)).toMatchObject({ status: 0 });
    }
  });
});
