import { check, skip } from '../support/report.ts';
import { aPodOf } from '../support/cluster.ts';
import { eventually } from '../support/command.ts';
import { restricted, serviceOf } from '../support/resources.ts';
import { within, type Space } from '../support/space.ts';
import { SAMPLE } from '../support/values.ts';

const RELEASE = 'closed';
const SERVICE = 'closed-authz-jsonmasking';
const SELECTOR = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/name=authz-jsonmasking`;

/** A pod that answers on ports, and its Service. */
function peer(name: string, ...ports: readonly number[]): readonly object[] {
  const script = `for (const port of [${ports.join()}]) require('node:http').createServer((request, response) => response.end()).listen(port)`;
  return [restricted(name, { command: ['node', '-e', script] }), serviceOf(name, ...ports)];
}

/** The PDP of the service under test, which answers on a port that the policy does not open, too. */
function pdp(): readonly object[] {
  const script = `
    require('node:http').createServer((request, response) => response.end()).listen(9000);
    const args = ['/app/dist/main.js', 'pdp', '--policies', '/policies/policies.yaml', '--port', '8080'];
    require('node:child_process').spawn('node', args, { stdio: 'inherit' });`;
  const volumes = [{ mountPath: '/policies', source: { configMap: { name: 'pdp' } } }];
  const data = { 'policies.yaml': JSON.stringify(SAMPLE.policies) };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'pdp' }, data },
    restricted('pdp', { command: ['node', '-e', script], volumes }),
    serviceOf('pdp', 8080, 9000),
  ];
}

/** Whether a pod reaches a URL. */
async function reaches(space: Space, pod: string, url: string): Promise<boolean> {
  const script = `fetch('${url}', { signal: AbortSignal.timeout(4000) }).then(() => process.exit(0), () => process.exit(1))`;
  return (await space.outcome('kubectl', 'exec', pod, '--', 'node', '-e', script)).status === 0;
}

async function requireReach(space: Space, pod: string, url: string, expected: boolean): Promise<void> {
  if ((await reaches(space, pod, url)) !== expected)
    throw new Error(`${pod} ${expected ? 'does not reach' : 'reaches'} ${url}`);
}

function urlOf(space: Space, service: string, port: number, path = '/'): string {
  return `http://${service}.${space.namespace}.svc:${port}${path}`;
}

function one(app: string): readonly object[] {
  return [{ podSelector: { matchLabels: { app } } }];
}

/** Installs the service with a policy for one caller, one reader of metrics, a PDP and a collector. */
async function install(space: Space): Promise<void> {
  const config = {
    ...SAMPLE.config,
    pdpUrl: urlOf(space, 'pdp', 8080, ''),
    metrics: { port: 9464 },
    tracing: { endpoint: urlOf(space, 'collector', 4318, '') },
  };
  const networkPolicy = {
    enabled: true,
    callers: one('caller'),
    monitoring: one('monitor'),
    pdp: { to: one('pdp') },
    tracing: { to: one('collector') },
  };
  const { test } = SAMPLE;
  const peers = [peer('caller', 9000), peer('monitor', 9000), peer('other', 9000), peer('collector', 4318)];
  await space.apply([...peers.flat(), ...pdp()]);
  await space.install(RELEASE, 'authz-jsonmasking', { config, networkPolicy, test });
  const pods = ['caller', 'monitor', 'other', 'collector', 'pdp'].map((name) => `pod/${name}`);
  await space.kubectl('wait', '--for=condition=Ready', ...pods, '--timeout=60s');
}

/** Each is a sentence, the pod that calls, what it calls, and whether it may. */
type Row = readonly [behaviour: string, from: string, url: string, may: boolean];

function rows(space: Space, authorizer: string): readonly Row[] {
  const enforce = urlOf(space, SERVICE, 5002, '/health/liveness');
  const metrics = urlOf(space, `${SERVICE}-metrics`, 9464, '/metrics');
  const to = (service: string, port: number) => urlOf(space, service, port);
  return [
    ['lets callers in', 'caller', enforce, true],
    ['keeps others out', 'other', enforce, false],
    ['keeps who reads the metrics from calling', 'monitor', enforce, false],
    ['lets in who reads the metrics', 'monitor', metrics, true],
    ['keeps others away from the metrics', 'other', metrics, false],
    ['keeps callers away from the metrics', 'caller', metrics, false],
    ['lets the service reach the PDP, whose name DNS resolves', authorizer, to('pdp', 8080), true],
    ['keeps the service from other ports of the PDP', authorizer, to('pdp', 9000), false],
    ['lets the service reach the collector of traces', authorizer, to('collector', 4318), true],
    ['keeps the service from anything else', authorizer, to('other', 9000), false],
  ];
}

/** The NetworkPolicy lets in and out what the documentation says, if the cluster enforces policies. */
export async function network(): Promise<void> {
  await within('network', async (space) => {
    const isThere = await check('the service is ready below a NetworkPolicy', () => install(space));
    if (!isThere) return;
    const authorizer = await aPodOf(space, SELECTOR);
    const isEnforced = !(await reaches(space, 'other', urlOf(space, SERVICE, 5002, '/health/liveness')));
    for (const [behaviour, from, url, may] of rows(space, authorizer)) {
      if (!may && !isEnforced) {
        skip(
          `the NetworkPolicy ${behaviour}`,
          "the cluster's network plugin does not enforce NetworkPolicies",
        );
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await check(`the NetworkPolicy ${behaviour}`, () => requireReach(space, from, url, may));
    }
    await check('helm test passes below the NetworkPolicy', () =>
      eventually(() => space.helm('test', RELEASE, '--logs'), 30),
    );
  });
}
