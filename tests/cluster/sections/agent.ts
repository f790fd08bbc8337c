import { Callers } from '../support/callers.ts';
import { rolledOut } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { valuesFile } from '../support/documentation.ts';
import { check } from '../support/report.ts';
import { within, type HelmVersion, type Space } from '../support/space.ts';
import { MASKED, POLICIES, REQUEST } from '../support/values.ts';

const RELEASE = 'agent';
const AUTHORIZER = 'agent-authz-jsonmasking';
const ON = {
  pdp: { policies: POLICIES },
  'authz-jsonmasking': { enabled: true, test: { request: REQUEST, expected: JSON.parse(MASKED) as unknown } },
};

async function authorizers(space: Space): Promise<string> {
  return space.kubectl('get', 'deployment,service,configmap', '-o', 'name');
}

async function switching(space: Space): Promise<void> {
  await check('the agent comes with the authorizer off', async () => {
    await space.install(RELEASE, 'policy-agent', {});
    if ((await authorizers(space)).includes('jsonmasking')) throw new Error('It is on');
  });
  await check('the values file of the documentation switches it on', async () => {
    const file = space.file('agent.yaml', valuesFile('docs/kubernetes.md', 'agent.yaml'));
    await space.helm(
      'upgrade',
      RELEASE,
      'charts/policy-agent',
      '--values',
      file,
      '--wait',
      '--timeout',
      '150s',
    );
    expectWords(await authorizers(space), AUTHORIZER);
  });
  await check("a denied, a conditional and a plain mask of the agent's own PDP hold", async () => {
    await space.install(RELEASE, 'policy-agent', ON);
    expectWords(await space.helm('test', RELEASE, '--logs'), 'Enforced:', MASKED);
  });
}

async function rolling(space: Space): Promise<void> {
  const url = `http://${AUTHORIZER}.${space.namespace}.svc:5002/enforce`;
  const callers = await Callers.start(space, 'callers', { url, body: REQUEST });
  await check("no request is lost when the agent's PDP restarts", () =>
    callers.loseNothing(async () => {
      await space.kubectl('rollout', 'restart', 'deployment/agent-pdp');
      await rolledOut(space, 'agent-pdp', 'app.kubernetes.io/component=pdp');
    }),
  );
  await check('a changed policy takes effect without a lost request', () =>
    callers.loseNothing(async () => {
      const policies = { policies: [{ name: 'All', properties: 'all', action: 'MASK' }] };
      await space.install(RELEASE, 'policy-agent', {
        pdp: { policies },
        'authz-jsonmasking': { enabled: true },
      });
      // The kubelet brings a changed ConfigMap to its pods within about a minute.
      await eventually(async () => {
        expectWords(await space.kubectl('logs', 'deployment/agent-pdp'), 'Policies loaded');
      }, 180);
    }),
  );
}

/** The umbrella: off by default, on by a value, off again. */
export async function agent(version: HelmVersion, isQuick: boolean): Promise<void> {
  await within(
    `agent-${version}`,
    async (space) => {
      await space.helm('dependency', 'build', 'charts/policy-agent');
      await switching(space);
      if (!isQuick) await rolling(space);
      await check('enabled: false removes the authorizer again', async () => {
        await space.install(RELEASE, 'policy-agent', { 'authz-jsonmasking': { enabled: false } });
        if ((await authorizers(space)).includes('jsonmasking')) throw new Error('It is still there');
      });
    },
    version,
  );
}
