import { aPodOf, fetchInside, restartsOf } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { check } from '../support/report.ts';
import { within, type Space } from '../support/space.ts';
import { SAMPLE } from '../support/values.ts';

const CHART = 'authz-jsonmasking';

/** Installs what goes wrong, without waiting for it, and returns the selector of its pods. */
async function begin(space: Space, release: string, values: object): Promise<string> {
  const file = space.file(`${release}.json`, values);
  await space.helm('install', release, space.chart(CHART), '--values', file, '--set', 'replicaCount=1');
  return `app.kubernetes.io/instance=${release}`;
}

async function refuses(space: Space, values: object, ...words: readonly string[]): Promise<void> {
  const file = space.file('wrong.json', values);
  const { status, stderr } = await space.outcome(
    'helm',
    'install',
    'wrong',
    space.chart(CHART),
    '--values',
    file,
  );
  if (status === 0) throw new Error('Helm installs it');
  expectWords(stderr, ...words);
  const left = await space.kubectl('get', 'all', '-l', 'app.kubernetes.io/instance=wrong', '-o', 'name');
  if (left !== '') throw new Error(`Left: ${left}`);
}

/** What `kubectl get` and `kubectl describe` show of pods, until it has the words. */
async function shows(space: Space, selector: string, ...words: readonly string[]): Promise<void> {
  await eventually(async () => {
    const get = await space.kubectl('get', 'pods', '-l', selector);
    const describe = await space.kubectl('describe', 'pods', '-l', selector);
    expectWords(`${get}${describe}`, ...words);
  });
}

async function refusals(space: Space): Promise<void> {
  await check(
    'a wrong configuration stops Helm with `problems in the values`, and nothing is installed',
    () =>
      refuses(
        space,
        { ...SAMPLE, config: { port: 5002, maxBody: 0 } },
        '1 problem in the values',
        'config.maxBody must be',
      ),
  );
  await check('a misspelt value stops Helm', () =>
    refuses(space, { ...SAMPLE, replicas: 2 }, 'additional properties', 'replicas'),
  );
  await check('a wrong policy stops Helm, and the path says where it is', () => {
    const policies = { policies: [{ name: 'Wrong', properties: ['ssn'], action: 'MAKS' }] };
    return refuses(
      space,
      { ...SAMPLE, policies },
      "values don't meet the specifications",
      '/policies/policies/0/action',
    );
  });
}

/** Kubernetes refuses other labels for the pods of a Deployment, but only after Helm has changed the Service. */
async function renaming(space: Space): Promise<void> {
  const release = 'renamed';
  const values = { ...SAMPLE, replicaCount: 1, fullnameOverride: release };
  const isStopped = async (change: object, words: string): Promise<void> => {
    const upgrade = ['upgrade', release, space.chart(CHART), '--values'] as const;
    const file = space.file('renaming.json', { ...values, ...change });
    const { status, stderr } = await space.outcome('helm', ...upgrade, file);
    if (status === 0) throw new Error('Helm upgrades it');
    expectWords(stderr, words);
  };
  await check('another nameOverride stops Helm before it changes the Service', async () => {
    await space.install(release, CHART, values);
    const selector = (): Promise<string> =>
      space.kubectl('get', 'service', release, '-o', 'jsonpath={.spec.selector}');
    const before = await selector();
    await isStopped({ nameOverride: 'other' }, 'nameOverride changes the labels');
    if ((await selector()) !== before) throw new Error('The Service selects other pods');
  });
  await check('a Service that becomes headless stops Helm before it changes anything', () =>
    isStopped(
      { service: { clusterIP: 'None' } },
      'service.clusterIP changes whether the Service renamed is headless',
    ),
  );
}

/** Helm 3 leaves a port of a failed revision in place unless it comes from that revision. */
async function changedPorts(space: Space): Promise<void> {
  await check('a port that a failed upgrade changed goes away by way of its revision', async () => {
    const release = 'ported';
    const values = { ...SAMPLE, replicaCount: 1, fullnameOverride: release };
    await space.install(release, CHART, values);
    const image = { registry: 'localhost:1', tag: 'none', pullPolicy: 'Never' };
    const failing = space.file('ported-elsewhere.json', {
      ...values,
      image,
      config: { ...SAMPLE.config, port: 5009 },
    });
    const upgrade = ['upgrade', release, space.chart(CHART), '--values'] as const;
    const failed = await space.outcome('helm', ...upgrade, failing, '--wait', '--timeout', '5s');
    if (failed.status === 0) throw new Error('Helm upgrades to an image that is missing');
    await space.outcome('helm', ...upgrade, space.file('ported.json', values));
    await space.helm('rollback', release, '2');
    await space.helm('rollback', release, '1', '--wait');
    const ports = await space.kubectl('get', 'service', release, '-o', 'jsonpath={.spec.ports[*].port}');
    if (ports !== '5002') throw new Error(`The Service has the ports ${ports}`);
  });
}

/** The ConfigMap is that of the newest revision, also of one that has failed, and a container of an older one may start again. */
async function revisions(space: Space): Promise<void> {
  await check('a pod does not start again with the configuration of another revision', async () => {
    const pods = await begin(space, 'revised', SAMPLE);
    await space.kubectl('rollout', 'status', 'deployment/revised-authz-jsonmasking', '--timeout=150s');
    const pod = await aPodOf(space, pods);
    const map = 'configmap/revised-authz-jsonmasking';
    const change = JSON.stringify({ data: { 'config.yaml': 'port: 5002\npdpUrl: http://127.0.0.1:9\n' } });
    await space.kubectl('patch', map, '--type', 'merge', '--patch', change);
    await eventually(async () => {
      const text = await space.kubectl('exec', pod, '--', 'node', '-p', READ_CONFIG);
      expectWords(text, '127.0.0.1:9');
    });
    await space.kubectl('exec', pod, '--', 'node', '-e', 'process.kill(1, "SIGTERM")');
    await shows(space, pods, 'CrashLoopBackOff');
    expectWords(await space.kubectl('logs', pod), '--config-sha256');
  });
}

/** Policies may be right only with the configuration that came with them. */
async function policiesOfOthers(space: Space): Promise<void> {
  await check('a pod keeps its policies while the ConfigMap is that of another configuration', async () => {
    const pods = await begin(space, 'kept', SAMPLE);
    await space.kubectl('rollout', 'status', 'deployment/kept-authz-jsonmasking', '--timeout=150s');
    const pod = await aPodOf(space, pods);
    const map = 'configmap/kept-authz-jsonmasking';
    const names = await space.kubectl(
      'get',
      map,
      '-o',
      'go-template={{range $key, $_ := .data}}{{$key}} {{end}}',
    );
    const key = names.split(' ').find((name) => name.startsWith('policies-'));
    if (key === undefined) throw new Error(`No policies among ${names}`);
    const data = { [key]: null, 'policies-0123456789.yaml': 'policies: []\n', 'config.yaml': 'port: 5002\n' };
    await space.kubectl('patch', map, '--type', 'merge', '--patch', JSON.stringify({ data }));
    await shows(space, pods, 'FailedMount', 'non-existent config key');
    const answer = await fetchInside(space, pod, 'http://127.0.0.1:5002/enforce', SAMPLE.test.request);
    expectWords(answer, JSON.stringify(SAMPLE.test.expected));
  });
}

const READ_CONFIG = 'require("fs").readFileSync("/etc/authz-jsonmasking/config.yaml", "utf8")';

async function absences(space: Space): Promise<void> {
  const { policies: _, ...withoutPolicies } = SAMPLE;
  await check('a missing Secret shows as FailedMount in kubectl describe', async () => {
    const pods = await begin(space, 'secretless', { ...withoutPolicies, existingPoliciesSecret: 'nowhere' });
    await shows(space, pods, 'FailedMount', 'secret "nowhere" not found');
  });
  await check('a missing ConfigMap of variables shows as CreateContainerConfigError', async () => {
    const extraEnvFrom = [{ configMapRef: { name: 'nowhere' } }];
    const pods = await begin(space, 'mapless', { ...SAMPLE, extraEnvFrom });
    await shows(space, pods, 'CreateContainerConfigError', 'configmap "nowhere" not found');
  });
  await check('an image that does not exist shows as ErrImagePull or ImagePullBackOff', async () => {
    const image = { registry: 'localhost:1', tag: 'none' };
    const pods = await begin(space, 'imageless', { ...SAMPLE, image });
    await shows(space, pods, 'Failed to pull image', 'ImagePull');
  });
  await check('an image that is never pulled shows as ErrImageNeverPull', async () => {
    const image = { registry: 'localhost:1', tag: 'none', pullPolicy: 'Never' };
    const pods = await begin(space, 'neverpulled', { ...SAMPLE, image });
    await shows(space, pods, 'ErrImageNeverPull');
  });
}

/** Installs the service with files that Helm does not check, and reads why it stops. */
async function crashes(space: Space, files: Readonly<Record<string, string>>, words: string): Promise<void> {
  const name = `crashing-${Object.keys(files).length}`;
  await space.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: files }]);
  const policies = 'policies.yaml' in files ? { existingPoliciesConfigMap: name } : {};
  const pods = await begin(space, name, { existingConfigMap: name, config: { port: 5002 }, ...policies });
  await shows(space, pods, 'CrashLoopBackOff');
  const logs = await space.kubectl('logs', `deployment/${name}-authz-jsonmasking`);
  expectWords(logs, words);
}

async function crashing(space: Space): Promise<void> {
  await check('a wrong configuration shows as CrashLoopBackOff, and kubectl logs lists the problems', () =>
    crashes(space, { 'config.yaml': 'port: 5002\nmaxBody: 0\n' }, 'maxBody must be an integer from 1 to 256'),
  );
  await check('a wrong policy file shows as CrashLoopBackOff, and kubectl logs lists the problems', () => {
    const policies = 'policies:\n  - { name: Wrong, properties: [ssn], action: MAKS }\n';
    const config = 'port: 5002\npolicyFile: policies.yaml\n';
    return crashes(
      space,
      { 'config.yaml': config, 'policies.yaml': policies },
      'policies[0].action must be MASK',
    );
  });
}

async function answers(space: Space): Promise<void> {
  const release = 'answering';
  await space.install(release, CHART, {
    ...SAMPLE,
    replicaCount: 1,
    config: { ...SAMPLE.config, maxBody: 1 },
  });
  const pod = await aPodOf(space, `app.kubernetes.io/instance=${release}`);
  const url = 'http://127.0.0.1:5002/enforce';
  await check('413 says that the payload is larger than maxBody', async () => {
    // A command line is too short for such a body.
    const body = `JSON.stringify({ parameters: {}, vendor: {}, json: { a: 'x'.repeat(2e6) } })`;
    const options = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${body} }`;
    const script = `fetch('${url}', ${options}).then(async (r) => console.log(r.status, await r.text()))`;
    const answer = await space.kubectl('exec', pod, '--', 'node', '-e', script);
    expectWords(answer, '413', '(maxBody)');
  });
}

async function absentPdp(space: Space): Promise<void> {
  await check(
    'a PDP that is away leaves pods running but not ready, and the log and /health/readiness say why',
    () => pdpAway(space),
  );
  await check('502 and the log say that the PDP is away', async () => {
    const pod = await aPodOf(space, 'app.kubernetes.io/instance=alone');
    const request = { parameters: {}, vendor: {}, json: { ssn: '123-45-6789' } };
    const answer = await fetchInside(space, pod, 'http://127.0.0.1:5002/enforce', request);
    expectWords(answer, '502', 'PDP');
    if (answer.includes('123-45-6789')) throw new Error('The answer has the payload');
    expectWords(await space.kubectl('logs', pod), 'pdp-unreachable');
  });
}

async function pdpAway(space: Space): Promise<void> {
  const config = { port: 5002, pdpUrl: 'http://127.0.0.1:9', attrName: 'column', object: 'table' };
  const pods = await begin(space, 'alone', { config });
  const deployment = 'deployment/alone-authz-jsonmasking';
  await shows(space, pods, '0/1', 'Readiness probe failed');
  await eventually(async () => expectWords(await space.kubectl('logs', deployment), 'PDP'));
  const script = `kubectl port-forward ${deployment} 5002:5002 >/dev/null & trap "kill $!" EXIT; for i in $(seq 20); do sleep 0.5; curl -sS http://127.0.0.1:5002/health/readiness && break; done 2>/dev/null`;
  expectWords(await space.shell(script), 'The PDP is not connected');
  const restarts = await restartsOf(space, await aPodOf(space, pods));
  if (restarts > 0) throw new Error(`The pod restarted ${restarts} times`);
}

/** What goes wrong shows as the table "When something is wrong" says. */
export async function trouble(isQuick: boolean): Promise<void> {
  await within('trouble', async (space) => {
    await refusals(space);
    if (isQuick) return;
    await renaming(space);
    await changedPorts(space);
    await revisions(space);
    await policiesOfOthers(space);
    await absences(space);
    await crashing(space);
    await absentPdp(space);
    await answers(space);
  });
}
