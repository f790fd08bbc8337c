import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import { configurationSchema, keyReferences } from '../../src/config/schema.ts';

describe('the reference of the keys', () => {
  test('has every key', () => {
    expect(CONFIGURATION_KEYS.map(({ key }) => key).toSorted()).toEqual(
      (
        'pdpProtocol pdpAction pdpContext pdpHeaders bareDecision authzen.properties authzen.obligations authzen.batch ' +
        'port host pdpUrl pdpHost pdpPort pdpResolutionPath pdpTokenPath pdpTimeout policyFile log.level log.format ' +
        'workers maxBody maxAnswer maxDepth rootWord assetType attrName object maskString maskShort maskKeys filter filterDefault ' +
        'maxInFlight maxStreams maxInFlightBody headersTimeout bodyTimeout answerTimeout keepAliveTimeout drainDelay ' +
        'drainTimeout tls.certFile tls.keyFile tls.clientCaFile tls.clientCertificates health.port health.host metrics.port metrics.host audit explain.port explain.host maxExplained report ' +
        'pdpTls.caFile pdpTls.certFile pdpTls.keyFile pdpTls.serverName pdpBreaker.enabled ' +
        'pdpBreaker.failurePercentage pdpBreaker.minimumCalls pdpBreaker.window pdpBreaker.probeAfter ' +
        'pdpCache.enabled pdpCache.maxEntries pdpCache.maxSize pdpCache.maxAge tracing.endpoint ' +
        'tracing.serviceName tracing.sampleRatio ' +
        'proxy.port proxy.host proxy.upstream proxy.timeout proxy.maxBody routes otherwise trustedHeaders ' +
        'extProc.port extProc.host extProc.maxMessage identity.required identity.jwt.issuer identity.jwt.audience identity.jwt.jwksUri identity.jwt.algorithms identity.jwt.clockTolerance'
      )
        .split(' ')
        .toSorted(),
    );
  });

  test('says what each key means, in whole sentences', () => {
    for (const { description } of CONFIGURATION_KEYS) expect(description).toMatch(/^[`A-Z].*\.$/s);
  });

  test('gives the unit of what is measured', () => {
    const units = CONFIGURATION_KEYS.filter(({ unit }) => unit).map(({ key, unit }) => [key, unit]);
    expect(Object.fromEntries(units)).toEqual({
      'proxy.maxBody': 'MB',
      'proxy.timeout': 'ms',
      'identity.jwt.clockTolerance': 'ms',
      maxAnswer: 'MB',
      maxBody: 'MB',
      maxInFlightBody: 'MB',
      'extProc.maxMessage': 'MB',
      maxDepth: 'levels',
      pdpTimeout: 'ms',
      headersTimeout: 'ms',
      bodyTimeout: 'ms',
      answerTimeout: 'ms',
      keepAliveTimeout: 'ms',
      drainDelay: 'ms',
      drainTimeout: 'ms',
      'pdpBreaker.failurePercentage': '%',
      'pdpBreaker.window': 'ms',
      'pdpBreaker.probeAfter': 'ms',
      'pdpCache.maxSize': 'MB',
      'pdpCache.maxAge': 'ms',
    });
  });

  test('requires the port alone', () => {
    expect(CONFIGURATION_KEYS.filter(({ required }) => required).map(({ key }) => key)).toEqual(['port']);
  });

  test('has only examples and defaults that the schema accepts', () => {
    const examples = CONFIGURATION_KEYS.filter(
      ({ example, key }) => example !== undefined && !key.includes('.'),
    );
    const values = Object.fromEntries(examples.map(({ key, example }) => [key, example]));
    expect(configurationSchema.safeParse(values).success).toBe(true);
  });
});

test('the schema can be written as a closed JSON schema with the reference of each key', () => {
  const schema = z.toJSONSchema(configurationSchema, { metadata: keyReferences, io: 'input' });
  expect(schema).toMatchObject({ type: 'object', required: ['port'], additionalProperties: false });
  expect(schema.properties?.['maxBody']).toMatchObject({
    type: 'integer',
    default: 4,
    maximum: 256,
    unit: 'MB',
  });
});
