import { Client, compressionAlgorithms, credentials, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from '@jest/globals';
import protobuf from 'protobufjs';
import { closeAll, stopLater } from '../../pdp/transport/setup.ts';
import { startEnforcement } from '../../support/service.ts';

/** https://github.com/grpc/grpc/blob/master/src/proto/grpc/health/v1/health.proto */
const { root } = protobuf.parse(`
  syntax = "proto3";
  package grpc.health.v1;
  message HealthCheckRequest { string service = 1; }
  message HealthCheckResponse {
    enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
    ServingStatus status = 1;
  }
`);
const REQUEST = root.lookupType('HealthCheckRequest');
const RESPONSE = root.lookupType('HealthCheckResponse');

afterEach(closeAll);

async function startProcessor(compression = compressionAlgorithms.identity) {
  const service = await startEnforcement(undefined, { extProc: { port: 0 } });
  const client = new Client(`127.0.0.1:${service.processor?.port}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': compression,
  });
  stopLater(() => Promise.resolve(client.close()));
  return { ...service, check: (name: string) => check(client, name) };
}

/** The status of a service; the code of the error if there is none. */
function check(client: Client, service: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  client.makeUnaryRequest(
    '/grpc.health.v1.Health/Check',
    (message: object) => Buffer.from(REQUEST.encode(message).finish()),
    (bytes) => RESPONSE.toObject(RESPONSE.decode(bytes), { enums: String }),
    { service },
    (error, answer) => resolve(error === null ? answer : error.code),
  );
  return promise;
}

describe('a client of grpc.health.v1', () => {
  test.each(['', 'envoy.service.ext_proc.v3.ExternalProcessor'])(
    'learns that the processor serves: "%s"',
    async (name) => {
      const processor = await startProcessor();
      expect(await processor.check(name)).toEqual({ status: 'SERVING' });
    },
  );

  test('learns that the processor no longer serves when the service shuts down', async () => {
    const processor = await startProcessor();
    expect(await processor.check('')).toEqual({ status: 'SERVING' });
    processor.lifecycle.leave();
    expect(await processor.check('')).toEqual({ status: 'NOT_SERVING' });
  });

  test('may not compress its messages, of which a few bytes could be megabytes', async () => {
    const processor = await startProcessor(compressionAlgorithms.gzip);
    expect(await processor.check('')).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('learns that a service is not known', async () => {
    const processor = await startProcessor();
    expect(await processor.check('other.Service')).toBe(status.NOT_FOUND);
  });
});
