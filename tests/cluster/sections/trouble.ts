import { aPodOf, restartsOf } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { check } from '../support/report.ts';
import { within, type Space } from '../support/space.ts';
import { SAMPLE } from '../support/values.ts';

const CHART = 'charts/authz-jsonmasking';

/** Installs what goes wrong, without waiting for it, and returns the selector of its pods. */
async function begin(space: Space, release: string, values: object): Promise<string> {
  const file = space.file(`${release}.json`, values);
  await space.helm('install', release, CHART, '--values', file, '--set', 'replicaCount=1');
  return `app.kubernetes.io/instance=${release}`;
}

async function refuses(space: Space, values: object, ...words: readonly string[]): Promise<void> {
  const file = space.file('wrong.json', values);
  const { status, stderr } = await space.outcome('helm', 'install', 'wrong', CHART, '--values', file);
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

async function absences(space: Space): Promise<void> {
  const { policies: _, ...withoutPolicies } = SAMPLE;
  await check('a missing Secret shows as FailedMount in kubectl describe', async () => {
    const pods = await begin(space, 'secretless', { ...withoutPolicies, existingPoliciesSecret: 'nowhere' });
    await shows(space, pods, 'FailedMount', 'secret "nowhere" not found');
  });
  await check('an image that does not exist shows as ErrImagePull or ImagePullBackOff', async () => {
    const pods = await begin(space, 'imageless', {
      ...SAMPLE,
      image: { registry: 'localhost:1', tag: 'none' },
    });
    await shows(space, pods, 'Failed to pull image', 'ImagePull');
  });
  await check(
    'a wrong ConfigMap shows as CrashLoopBackOff, and kubectl logs says what is wrong',
    async () => {
      const data = { 'config.yaml': 'port: 5002\nmaxBody: 0\n' };
      await space.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' }, data }]);
      const pods = await begin(space, 'crashing', { existingConfigMap: 'own', config: { port: 5002 } });
      await shows(space, pods, 'CrashLoopBackOff');
      const logs = await space.kubectl('logs', 'deployment/crashing-authz-jsonmasking');
      expectWords(logs, 'maxBody must be an integer from 1 to 256');
    },
  );
  await check(
    'a PDP that is away leaves pods running but not ready, and the log and /health/readiness say why',
    () => pdpAway(space),
  );
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
  if (restarts !== '0') throw new Error(`The pod restarted ${restarts} times`);
}

/** What goes wrong shows as the table "When something is wrong" says. */
export async function trouble(isQuick: boolean): Promise<void> {
  await within('trouble', async (space) => {
    await refusals(space);
    if (!isQuick) await absences(space);
  });
}
