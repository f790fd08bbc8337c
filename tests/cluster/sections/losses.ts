import { namesOf } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { check } from '../support/report.ts';
import type { Subject } from '../support/subject.ts';
import { SAMPLE, SAMPLE_REQUEST } from '../support/values.ts';
import { within, type Space } from '../support/space.ts';
import { disturb, installSubject, rolls } from './disturbances.ts';

const DEPLOYMENT = 'masking-authz-jsonmasking';

const SERVICE: Subject = {
  name: 'the service',
  release: 'masking',
  chart: 'authz-jsonmasking',
  deployment: DEPLOYMENT,
  selector: 'app.kubernetes.io/instance=masking,app.kubernetes.io/name=authz-jsonmasking',
  values: (maxBody) => ({ ...SAMPLE, config: { ...SAMPLE.config, maxBody } }),
  load: (namespace) => ({
    url: `http://${DEPLOYMENT}.${namespace}.svc:5002/enforce`,
    body: SAMPLE_REQUEST,
    hidden: '123-45-6789',
  }),
  killed: { unbegun: /ECONNREFUSED$/, cut: /ECONNRESET$/ },
};

async function startsWithoutFailedProbes(space: Space): Promise<void> {
  const events = await space.kubectl('get', 'events', '--field-selector=reason=Unhealthy', '-o', 'name');
  if (events !== '') throw new Error(await space.kubectl('get', 'events'));
}

/** A changed policy file reaches the pods that run, within about a minute. */
async function reloadsPolicies(space: Space): Promise<void> {
  const policies = { policies: [{ name: 'All', properties: 'all', action: 'MASK' }] };
  const before = await namesOf(space, SERVICE.selector);
  await space.install(SERVICE.release, SERVICE.chart, { ...SAMPLE, policies });
  await eventually(async () => {
    for (const name of before.split(',')) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expectWords(await space.kubectl('logs', name), 'Policies loaded');
    }
  }, 180);
  if ((await namesOf(space, SERVICE.selector)) !== before) throw new Error('The pods rolled');
}

/** A ConfigMap that the chart did not make counts when Helm sees that it changed. */
async function rollsWithExisting(space: Space): Promise<void> {
  const configured = (maxBody: number) =>
    space.apply([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'own' },
        data: { 'config.yaml': JSON.stringify({ ...SAMPLE.config, policyFile: 'policies.yaml', maxBody }) },
      },
    ]);
  const values = { ...SAMPLE, existingConfigMap: 'own', config: { port: 5002 } };
  const upgrade = () => space.install(SERVICE.release, SERVICE.chart, values);
  await configured(4);
  await upgrade();
  if (await rolls(space, SERVICE, upgrade)) throw new Error('The pods rolled without a change');
  await configured(5);
  if (!(await rolls(space, SERVICE, upgrade))) throw new Error('The pods did not roll');
}

/** Callers of the service lose nothing, and its pods roll if its configuration changes. */
export async function losses(isQuick: boolean): Promise<void> {
  await within('losses', async (space) => {
    const isThere = await check(
      'the sample is installed in a namespace that enforces the restricted standard',
      () => installSubject(space, SERVICE),
    );
    if (!isThere) return;
    await check('a normal start has no failed probe', () => startsWithoutFailedProbes(space));
    await disturb(space, SERVICE, isQuick);
    if (isQuick) return;
    await check('a changed policy file is read again by the pods that run', () => reloadsPolicies(space));
    await check('a changed ConfigMap that existed already rolls the pods at the next upgrade', () =>
      rollsWithExisting(space),
    );
  });
}
