import { MASKED_RECORDS, MASKS, MASKS_REQUEST } from '../../chart/support/masks.ts';
import { namesOf } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { valuesFile } from '../support/documentation.ts';
import { check } from '../support/report.ts';
import { within, type HelmVersion, type Space } from '../support/space.ts';
import type { Subject } from '../support/subject.ts';
import { disturb } from './disturbances.ts';

const RELEASE = 'agent';
const CHART = 'policy-agent';
const AUTHORIZER = 'agent-authz-jsonmasking';
const PDP_PODS = 'app.kubernetes.io/instance=agent,app.kubernetes.io/component=pdp';
const ON = {
  pdp: { policies: { policies: MASKS } },
  'authz-jsonmasking': { enabled: true, test: { request: MASKS_REQUEST, expected: MASKED_RECORDS } },
};

/** The authorizer asks again if a PDP refuses the connection or breaks it, until it reaches one that runs. */
const PDP: Subject = {
  name: "the agent's PDP",
  release: RELEASE,
  chart: CHART,
  deployment: 'agent-pdp',
  selector: PDP_PODS,
  values: (change) => ({ ...ON, pdp: { ...ON.pdp, podAnnotations: { change: `${change}` } } }),
  load: (namespace) => ({
    url: `http://${AUTHORIZER}.${namespace}.svc:5002/enforce`,
    body: MASKS_REQUEST,
    pause: 800,
    hidden: '123-45-6789',
  }),
  killed: { unbegun: /^$/, cut: /^$/ },
};

async function authorizers(space: Space): Promise<string> {
  return space.kubectl('get', 'deployment,service,configmap', '-o', 'name');
}

async function switching(space: Space): Promise<void> {
  await check('the agent comes with the authorizer off', async () => {
    await space.install(RELEASE, CHART, {});
    if ((await authorizers(space)).includes('jsonmasking')) throw new Error('It is on');
  });
  await check('the values file of the documentation switches it on', async () => {
    const file = space.file('agent.yaml', valuesFile('docs/kubernetes.md', 'agent.yaml'));
    const flags = ['--values', file, '--wait', '--timeout', '150s'];
    await space.helm('upgrade', RELEASE, space.chart(CHART), ...flags);
    expectWords(await authorizers(space), AUTHORIZER);
  });
  await check("the agent's PDP reads its changed policies again: a mask of every kind holds", async () => {
    const before = await namesOf(space, PDP_PODS);
    await space.install(RELEASE, CHART, ON);
    // The kubelet brings a changed ConfigMap to its pods within about a minute.
    await eventually(async () => expectWords(await space.helm('test', RELEASE, '--logs'), 'Enforced:'), 180);
    if ((await namesOf(space, PDP_PODS)) !== before) throw new Error('The pods of the PDP rolled');
  });
}

/** The umbrella: off by default, on by a value, off again. */
export async function agent(version: HelmVersion, isQuick: boolean): Promise<void> {
  await within(
    `agent-${version}`,
    async (space) => {
      await switching(space);
      if (!isQuick) await disturb(space, PDP, false);
      await check('enabled: false removes the authorizer again', async () => {
        await space.install(RELEASE, CHART, { 'authz-jsonmasking': { enabled: false } });
        if ((await authorizers(space)).includes('jsonmasking')) throw new Error('It is still there');
      });
    },
    version,
  );
}
