import { afterEach, describe, expect, test } from '@jest/globals';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { startEnforcement } from '../../support/service.ts';
import { ProcessorClient, type ProcessorStream } from './processor-client.ts';

afterEach(closeAll);

const REQUEST: HeaderFields = [
  [':method', 'GET'],
  [':path', '/customers'],
];
const JSON_TYPE: HeaderFields = [['content-type', 'application/json']];

async function open(): Promise<ProcessorStream> {
  const { processor } = await startEnforcement(undefined, {
    extProc: { port: 0 },
    routes: [{ path: '/public', pass: true }],
  });
  return new ProcessorClient(processor?.port ?? 0).open();
}

describe('an answer without the headers of its request', () => {
  test('passes if it has no body, without what describes one', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [['etag', '"1"']] }, true);
    const { responseHeaders } = await stream.next();
    expect(responseHeaders?.response.headerMutation.removeHeaders).toContain('etag');
    stream.end();
  });

  test('is refused if it has one', async () => {
    const stream = await open();
    stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('is refused if more follows', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [] }, true);
    await stream.next();
    stream.sendBody(Buffer.from('{}'), true);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('is the last of its exchange', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [] }, true);
    await stream.next();
    expect((await stream.begin(REQUEST, 'BUFFERED')).immediateResponse?.status.code).toBe(502);
    stream.end();
  });
});

test.each([
  [':path', '/public'],
  [':method', 'HEAD'],
])('a request with several %s is refused, in either order', async (name, value) => {
  for (const fields of [
    [...REQUEST, [name, value] as const],
    [[name, value] as const, ...REQUEST],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one stream after another
    const stream = await open();
    // oxlint-disable-next-line no-await-in-loop
    expect((await stream.begin(fields, 'BUFFERED')).immediateResponse?.status.code).toBe(502);
    stream.end();
  }
});

test('an answer with several :status is refused', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 304, fields: [[':status', '200'], ...JSON_TYPE] }, false);
  expect((await stream.next()).immediateResponse?.status.code).toBe(502);
  stream.end();
});
