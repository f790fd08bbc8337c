import * as z from 'zod';
import { Callers } from '../support/callers.ts';
import { aPodOf, fetchInside, rolledOut } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { check } from '../support/report.ts';
import { IMAGE } from '../support/resources.ts';
import { within, type Space } from '../support/space.ts';

const RELEASE = 'shop';
const DEPLOYMENT = 'shop-orders';
const SELECTOR = 'app.kubernetes.io/name=orders';

const state = z.object({
  running: z.object({ startedAt: z.string() }).optional(),
  terminated: z.object({ startedAt: z.string(), finishedAt: z.string(), exitCode: z.number() }).optional(),
});
const statuses = z.array(z.object({ name: z.string(), state }));
const pod = z.object({
  status: z.object({ containerStatuses: statuses, initContainerStatuses: statuses }),
});

async function podStatus(space: Space, name: string) {
  const { status } = pod.parse(JSON.parse(await space.kubectl('get', 'pod', name, '-o', 'json')));
  const [application] = status.containerStatuses;
  const [sidecar] = status.initContainerStatuses;
  if (application === undefined || sidecar === undefined) throw new Error('The pod has no sidecar');
  return { application: application.state, sidecar: sidecar.state };
}

async function masks(space: Space): Promise<void> {
  const answer = await fetchInside(space, await aPodOf(space, SELECTOR), 'http://127.0.0.1:8080/');
  expectWords(answer, '200', '************1111', '"ssn":"***"');
}

async function startsFirst(space: Space): Promise<void> {
  const { application, sidecar } = await podStatus(space, await aPodOf(space, SELECTOR));
  const [first = '', second = ''] = [sidecar.running?.startedAt, application.running?.startedAt];
  if (first === '' || first >= second)
    throw new Error(`The sidecar starts at ${first}, the application at ${second}`);
}

/** A Job whose own container enforces a payload once; its pod has the sidecar of the example. */
async function createJob(space: Space): Promise<void> {
  const deployment = JSON.parse(
    await space.kubectl('get', 'deployment', DEPLOYMENT, '-o', 'json'),
  ) as unknown;
  const template = z
    .object({
      spec: z.object({
        template: z.object({
          spec: z.looseObject({
            initContainers: z.array(z.looseObject({})),
            volumes: z.array(z.looseObject({})),
            containers: z.array(z.looseObject({})),
          }),
        }),
      }),
    })
    .parse(deployment).spec.template.spec;
  const body = JSON.stringify({ parameters: {}, vendor: {}, json: { ssn: '123-45-6789' } });
  const headers = { 'Content-Type': 'application/json' };
  const script = `fetch('http://127.0.0.1:5002/enforce', ${JSON.stringify({ method: 'POST', headers, body })}).then(async (r) => console.log(await r.text()))`;
  const [own] = template.containers;
  const containers = [
    { name: 'job', image: IMAGE, command: ['node', '-e', script], securityContext: own?.['securityContext'] },
  ];
  await space.apply([
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'nightly' },
      spec: { backoffLimit: 0, template: { spec: { ...template, containers, restartPolicy: 'Never' } } },
    },
  ]);
}

async function completesJob(space: Space): Promise<void> {
  await createJob(space);
  await space.kubectl('wait', '--for=condition=Complete', 'job/nightly', '--timeout=90s');
  expectWords(await space.kubectl('logs', 'job/nightly', '-c', 'job'), '{"ssn":"***"}');
  const name = await aPodOf(space, 'job-name=nightly');
  await eventually(async () => {
    const { application, sidecar } = await podStatus(space, name);
    const [first = '', second = ''] = [application.terminated?.finishedAt, sidecar.terminated?.finishedAt];
    if (first === '' || second === '' || first > second)
      throw new Error(`The application stops at ${first}, the sidecar at ${second}`);
    if (sidecar.terminated?.exitCode !== 0) throw new Error('The sidecar did not stop in order');
  });
}

/** The example microservice with its sidecar. */
export async function besideMicroservice(): Promise<void> {
  await within('sidecar', async (space) => {
    await space.helm('dependency', 'build', 'charts/example-microservice');
    const isThere = await check('the example microservice is installed', () =>
      space.install(RELEASE, 'example-microservice', { image: IMAGE }),
    );
    if (!isThere) return;
    await check('the example microservice answers what its sidecar leaves to see', () => masks(space));
    await check('the sidecar starts before the application', () => startsFirst(space));
    const url = `http://${DEPLOYMENT}.${space.namespace}.svc:8080/`;
    const callers = await Callers.start(space, 'callers', { url });
    await check('no request is lost when a microservice with a sidecar restarts', () =>
      callers.loseNothing(async () => {
        await space.kubectl('rollout', 'restart', `deployment/${DEPLOYMENT}`);
        await rolledOut(space, DEPLOYMENT, SELECTOR);
      }),
    );
    await check('a Job with a sidecar completes, and the sidecar stops after it', () => completesJob(space));
  });
}
