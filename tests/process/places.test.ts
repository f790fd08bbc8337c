import { afterEach, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { closeAll, freePort } from '../pdp/transport/setup.ts';
import { ProcessorClient } from '../places/ext-proc/processor-client.ts';
import { answering, SECRET, startApplication } from '../places/proxy/setup.ts';
import { call } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { fileWith, folderWith } from '../support/folder.ts';
import { serving } from '../support/process.ts';

afterEach(closeAll);

const BODY = `{"ssn":"${SECRET}"}`;
const MASKED = '{"ssn":"***"}';

/** The service with several workers, in front of an application that answers {@link BODY}. */
async function servingPlaces() {
  const application = await startApplication(answering(BODY));
  const policies = await folderWith({
    'policies.yaml': 'policies: [{ name: SSN, properties: [ssn], action: MASK }]',
  });
  const [proxyPort, processorPort] = [await freePort(), await freePort()];
  const configuration = {
    port: 0,
    policyFile: `${policies}/policies.yaml`,
    proxy: { host: '127.0.0.1', port: proxyPort, upstream: application.url },
    extProc: { host: '127.0.0.1', port: processorPort },
    drainDelay: 0,
    workers: 2,
  };
  const service = await serving('-c', await fileWith(stringify(configuration)));
  return { service, proxyPort, processorPort, application };
}

describe('with several workers', () => {
  test('the log says once where the proxy listens', async () => {
    const { service, proxyPort, application } = await servingPlaces();
    await eventually(() => service.logged().includes('"Proxy listening"'));
    service.signal('SIGTERM');
    const { code, stdout } = await service.ended;
    expect(code).toBe(0);
    const lines = stdout.split('\n').filter((line) => line.includes('"Proxy listening"'));
    const where = { host: '127.0.0.1', port: proxyPort, upstream: application.url };
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { level: 'info', message: 'Proxy listening', ...where, time: expect.any(String) },
    ]);
  });

  test('the proxy enforces every answer', async () => {
    const { service, proxyPort, application } = await servingPlaces();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(proxyPort, { method: 'GET', path: '/a' })),
    );
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([MASKED]));
    expect(application.received).toHaveLength(20);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('the processor enforces every answer, on every connection', async () => {
    const { service, processorPort } = await servingPlaces();
    const request = [
      [':method', 'GET'],
      [':path', '/a'],
    ] as const;
    const answer = {
      status: 200,
      fields: [['content-type', 'application/json']],
      body: Buffer.from(BODY),
    } as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => new ProcessorClient(processorPort).exchange(request, answer)),
    );
    expect(new Set(answers.map(({ body }) => body.toString()))).toEqual(new Set([MASKED]));
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});
