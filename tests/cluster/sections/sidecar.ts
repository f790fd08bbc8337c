import * as z from 'zod';
import { Callers } from '../support/callers.ts';
import { aPodOf, fetchInside } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { check } from '../support/report.ts';
import { IMAGE } from '../support/resources.ts';
import { within, type Space } from '../support/space.ts';
import type { Subject } from '../support/subject.ts';
import { disturb, installSubject, rolls } from './disturbances.ts';

const RELEASE = 'shop';
const DEPLOYMENT = 'shop-orders';
const SELECTOR = 'app.kubernetes.io/name=orders';

const EXAMPLE = {
  release: RELEASE,
  chart: 'example-microservice',
  deployment: DEPLOYMENT,
  selector: SELECTOR,
  load: (namespace: string) => ({
    url: `http://${DEPLOYMENT}.${namespace}.svc:8080/`,
    pause: 800,
    hidden: '123-45-6789',
  }),
};

/** The microservice calls the sidecar, and asks again if that refuses the connection. */
const SIDECAR: Subject = {
  ...EXAMPLE,
  name: 'a microservice with a sidecar',
  values: (maxBody) => ({ image: IMAGE, 'authz-jsonmasking': { config: { maxBody } } }),
  killed: { container: 'authz-jsonmasking', unbegun: /^$/, cut: /502$/ },
};

/** The sidecar is the proxy of the microservice, which knows nothing of it. */
const PROXIED: Subject = {
  ...EXAMPLE,
  name: 'a proxied microservice',
  values: (maxBody) => ({
    image: IMAGE,
    'authz-jsonmasking': {
      sidecar: { proxy: { enabled: true } },
      config: { maxBody, routes: [{ path: '/health', pass: true }] },
    },
  }),
  killed: { container: 'authz-jsonmasking', unbegun: /ECONNREFUSED$/, cut: /ECONNRESET$/ },
};

const state = z.object({
  running: z.object({ startedAt: z.string() }).optional(),
  terminated: z.object({ startedAt: z.string(), finishedAt: z.string(), exitCode: z.number() }).optional(),
});
const statuses = z.array(z.object({ name: z.string(), state }));
const pod = z.object({
  status: z.object({ containerStatuses: statuses, initContainerStatuses: statuses }),
});

function statesIn(status: unknown) {
  const { containerStatuses, initContainerStatuses } = pod.parse(status).status;
  const [application] = containerStatuses;
  const [sidecar] = initContainerStatuses;
  if (application === undefined || sidecar === undefined) throw new Error('The pod has no sidecar');
  return { application: application.state, sidecar: sidecar.state };
}

async function podStatus(space: Space, name: string) {
  return statesIn(JSON.parse(await space.kubectl('get', 'pod', name, '-o', 'json')));
}

/** What callers get through the Service. */
async function masks(space: Space): Promise<void> {
  const url = `http://${DEPLOYMENT}.${space.namespace}.svc:8080/`;
  const answer = await fetchInside(space, await aPodOf(space, SELECTOR), url);
  expectWords(answer, '200', '************1111', '"ssn":"***"');
}

async function startsFirst(space: Space): Promise<void> {
  const { application, sidecar } = await podStatus(space, await aPodOf(space, SELECTOR));
  const [first = '', second = ''] = [sidecar.running?.startedAt, application.running?.startedAt];
  if (first === '' || first >= second)
    throw new Error(`The sidecar starts at ${first}, the application at ${second}`);
}

/** @throws Error unless the sidecar has stopped in order, and not before the application */
function requireStoppedLast({ application, sidecar }: ReturnType<typeof statesIn>): void {
  const [first = '', second = ''] = [application.terminated?.finishedAt, sidecar.terminated?.finishedAt];
  if (first === '' || second === '' || first > second)
    throw new Error(`The application stops at ${first}, the sidecar at ${second}`);
  if (sidecar.terminated?.exitCode !== 0)
    throw new Error(`The sidecar exits with ${sidecar.terminated?.exitCode}`);
}

/** The last states of the containers of a pod that is deleted, as a watch sees them. */
async function stopsLast(space: Space): Promise<void> {
  const name = await aPodOf(space, SELECTOR);
  const script = `kubectl get pod ${name} --watch -o json & trap "kill $!" EXIT; kubectl delete pod ${name} >/dev/null; sleep 1`;
  requireStoppedLast(statesIn(lastOf(await space.shell(script))));
}

/** The last of several JSON documents, one after the other. */
function lastOf(documents: string): unknown {
  return JSON.parse(`{${documents.trim().split('\n{').at(-1)?.replace(/^\{/, '') ?? ''}`);
}

/** A Job whose own container runs a script once, beside the sidecar of the example. */
async function createJob(space: Space, script: string): Promise<void> {
  const deployment: unknown = JSON.parse(await space.kubectl('get', 'deployment', DEPLOYMENT, '-o', 'json'));
  const list = z.array(z.looseObject({}));
  const podSpec = z.looseObject({ initContainers: list, volumes: list, containers: list });
  const template = z.object({ spec: z.object({ template: z.object({ spec: podSpec }) }) }).parse(deployment)
    .spec.template.spec;
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

async function completesJob(space: Space, script: string): Promise<void> {
  await createJob(space, script);
  await space.kubectl('wait', '--for=condition=Complete', 'job/nightly', '--timeout=90s');
  expectWords(await space.kubectl('logs', 'job/nightly', '-c', 'job'), '"ssn":"***"');
  const name = await aPodOf(space, 'job-name=nightly');
  await eventually(async () => requireStoppedLast(await podStatus(space, name)));
}

/** A script that has a record masked by the sidecar. */
const CALL = `
  const body = JSON.stringify({ parameters: {}, vendor: {}, json: { ssn: '123-45-6789' } });
  const headers = { 'Content-Type': 'application/json' };
  fetch('http://127.0.0.1:5002/enforce', { method: 'POST', headers, body }).then(async (r) => console.log(await r.text()))`;

/** A script that serves a record on loopback, and asks for it through the proxy. */
const SERVE = `
  const server = require('node:http').createServer((request, response) =>
    response.setHeader('Content-Type', 'application/json').end('{"ssn":"123-45-6789"}'));
  server.listen(8080, '127.0.0.1', async () => {
    console.log(await (await fetch('http://127.0.0.1:8443/')).text());
    process.exit();
  })`;

async function beside(name: string, subject: Subject, job: string, isQuick: boolean): Promise<void> {
  await within(name, async (space) => {
    const isThere = await check(`${subject.name} is installed`, () => installSubject(space, subject));
    if (!isThere) return;
    await check(`${subject.name} answers only what its sidecar lets through`, () => masks(space));
    await check(`${subject.name}: the application starts after the sidecar`, () => startsFirst(space));
    await check(`${subject.name}: the application stops before the sidecar`, () => stopsLast(space));
    await check(`${subject.name}: a Job with the sidecar completes, and the sidecar stops last`, () =>
      completesJob(space, job),
    );
    await disturb(space, subject, isQuick);
    if (isQuick) return;
    const other = subject === SIDECAR ? PROXIED : SIDECAR;
    await check(`no request is lost while ${subject.name} becomes ${other.name}`, () =>
      replace(space, subject, other),
    );
  });
}

/** Upgrades one subject to another, whose Service leads to another container by the same name. */
async function replace(space: Space, from: Subject, to: Subject): Promise<void> {
  const callers = await Callers.start(space, 'switching', from.load(space.namespace));
  await callers.loseNothing(async () => {
    if (!(await rolls(space, to, () => installSubject(space, to)))) throw new Error('The pods did not roll');
  });
  await callers.stop();
  await masks(space);
}

/** The example microservice with its sidecar. */
export function besideMicroservice(isQuick: boolean): Promise<void> {
  return beside('sidecar', SIDECAR, CALL, isQuick);
}

/** The example microservice with the sidecar as its proxy. */
export function proxiedMicroservice(isQuick: boolean): Promise<void> {
  return beside('proxied', PROXIED, SERVE, isQuick);
}
