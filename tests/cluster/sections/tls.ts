import { setTimeout as wait } from 'node:timers/promises';
import { createAuthority, type Authority, type Identity } from '../../support/certificates.ts';
import { Callers } from '../support/callers.ts';
import { aPodOf } from '../support/cluster.ts';
import { eventually, expectWords } from '../support/command.ts';
import { check } from '../support/report.ts';
import { within, type Space } from '../support/space.ts';
import { SAMPLE, SAMPLE_REQUEST } from '../support/values.ts';

const RELEASE = 'secure';
const SERVICE = 'secure-authz-jsonmasking';
const FOLDER = '/etc/masking-tls';

function secret(name: string, { cert, key }: Identity, authority: Authority): object {
  const stringData = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData };
}

function values(isRequired: boolean): object {
  const files = { certFile: `${FOLDER}/tls.crt`, keyFile: `${FOLDER}/tls.key` };
  const callers = { clientCaFile: `${FOLDER}/ca.crt`, clientCertificates: 'require' };
  const config = {
    ...SAMPLE.config,
    tls: { ...files, ...(isRequired && callers) },
    ...(isRequired && { health: { port: 5003 } }),
  };
  const test = {
    ...SAMPLE.test,
    caSecret: 'masking-tls',
    ...(isRequired && { clientCertificateSecret: 'caller-tls' }),
  };
  return { ...SAMPLE, config, test, certificates: [{ secretName: 'masking-tls', mountPath: FOLDER }] };
}

const SELECTOR = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/name=authz-jsonmasking`;

/** The fingerprint of the certificate that a pod serves. */
async function served(space: Space): Promise<string> {
  const pod = await aPodOf(space, SELECTOR);
  const script = `const s = require('node:tls').connect({ port: 5002, rejectUnauthorized: false }, () => { console.log(s.getPeerCertificate().fingerprint256); s.destroy(); });`;
  return (await space.kubectl('exec', pod, '--', 'node', '-e', script)).trim();
}

async function rotates(space: Space, authority: Authority, name: string): Promise<void> {
  const before = await served(space);
  const restarts = [
    'get',
    'pods',
    '-l',
    `app.kubernetes.io/instance=${RELEASE}`,
    '-o',
    'jsonpath={.items[*].metadata.uid}',
  ];
  const pods = await space.kubectl(...restarts);
  await space.apply([secret('masking-tls', await authority.issue(name), authority)]);
  // The kubelet refreshes a mounted Secret within about a minute.
  await eventually(async () => {
    if ((await served(space)) === before) throw new Error('The old certificate is still served');
    await wait(1000);
  }, 150);
  if ((await space.kubectl(...restarts)) !== pods) throw new Error('Pods were replaced');
}

async function refusesUncertified(space: Space, host: string): Promise<void> {
  const script = `require('node:https').get('https://${host}:5002/health/liveness', { rejectUnauthorized: false })
    .on('response', (response) => console.log(response.statusCode)).on('error', (error) => console.log(error.code))`;
  const pod = await aPodOf(space, SELECTOR);
  expectWords(await space.kubectl('exec', pod, '--', 'node', '-e', script), 'CERTIFICATE_REQUIRED');
}

/** HTTPS with certificates from a Secret, which change while it serves; callers with certificates. */
export async function tls(): Promise<void> {
  await within('tls', async (space) => {
    const authority = await createAuthority();
    const name = `${SERVICE}.${space.namespace}.svc`;
    await space.apply([
      secret('masking-tls', await authority.issue(name), authority),
      secret('caller-tls', await authority.issue('caller'), authority),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'authority' },
        stringData: { 'ca.crt': authority.cert },
      },
    ]);
    await check(
      'it serves HTTPS with a certificate from a Secret, as helm test verifies by its authority',
      async () => {
        await space.install(RELEASE, 'authz-jsonmasking', values(false));
        expectWords(await space.helm('test', RELEASE, '--logs'), 'Enforced:');
      },
    );
    const load = { url: `https://${name}:5002/enforce`, body: SAMPLE_REQUEST };
    const callers = await Callers.start(space, 'callers', { ...load, secret: 'authority' });
    await check('it serves a rotated certificate without a restart, and no request is lost', () =>
      callers.loseNothing(() => rotates(space, authority, name)),
    );
    await callers.stop();
    await check(
      'it takes callers with a certificate, helm test among them, and the kubelet probes it without one',
      async () => {
        await space.install(RELEASE, 'authz-jsonmasking', values(true));
        expectWords(await space.helm('test', RELEASE, '--logs'), 'Enforced:');
        await Callers.start(space, 'certified', { ...load, secret: 'caller-tls' });
      },
    );
    await check('it refuses callers without a certificate', () => refusesUncertified(space, name));
  });
}
