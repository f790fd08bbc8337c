import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { render, type Values } from './support/helm.ts';
import { dataOf, theOnly } from './support/manifest.ts';
import { EVERYTHING, MINIMAL, SAMPLE } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

/** Helm prints notes only of a release in a cluster, so they are rendered as a resource. */
const NOTES = [
  'apiVersion: v1',
  'kind: ConfigMap',
  'metadata: { name: notes }',
  'data: { notes: {{ include "authz-jsonmasking.notes" . | toRawJson }} }',
].join('\n');

function notes(values: Values): string {
  return dataOf(theOnly(render({ ...values, extraObjects: [NOTES] }), 'ConfigMap', 'notes'), 'notes');
}

/** The JSON that the curl in the notes sends. */
function sentBy(text: string): unknown {
  const [, payload = ''] = /--data '(.*)'$/m.exec(text) ?? [];
  return JSON.parse(payload.replaceAll(String.raw`'\''`, "'"));
}

describeChart('The notes', () => {
  it('have the port-forward and the curl for these values', () => {
    const text = notes(SAMPLE);
    expect(text).toContain('kubectl --namespace bank port-forward service/my-authz-jsonmasking 5002:5002');
    expect(text).toContain('curl -sS http://127.0.0.1:5002/enforce');
    expect(sentBy(text)).toEqual(lodash.get(SAMPLE, 'test.request'));
  });

  it('follow the name, the port, the scheme and the headers in the values', () => {
    const text = notes(EVERYTHING);
    expect(text).toContain('kubectl --namespace bank port-forward service/my-masker 8080:80');
    expect(text).toContain('curl -sS --insecure https://127.0.0.1:8080/enforce');
    expect(text).toContain("--header 'Authorization: Bearer token'");
    expect(text).toContain('https://my-masker.bank.svc:80/enforce');
  });

  it('have headers that a shell takes as they are', () => {
    const text = notes({ ...MINIMAL, test: { headers: { 'X-User': "O'Brien" } } });
    expect(text).toContain(String.raw`--header 'X-User: O'\''Brien' `);
  });

  it('say where the reverse proxy and the external processor are, if they are', () => {
    const config = {
      proxy: { port: 9443, upstream: 'http://crm:8080' },
      extProc: { port: 9002 },
      routes: [{ path: '/*' }],
    };
    const text = notes(lodash.merge({}, MINIMAL, { config }));
    expect(text).toContain('config.proxy.upstream at http://my-authz-jsonmasking.bank.svc:9443');
    expect(text).toContain('at my-authz-jsonmasking.bank.svc:9002 (gRPC)');
    expect(notes(MINIMAL)).not.toMatch(/proxy|processor/u);
  });

  it('forward a port of this machine that needs no root', () => {
    const text = notes({ ...MINIMAL, service: { port: 443 } });
    expect(text).toContain('port-forward service/my-authz-jsonmasking 8443:443');
    expect(text).toContain('http://127.0.0.1:8443/enforce');
  });

  it('send a certificate and a token if the service requires them', () => {
    const tls = { certFile: 'a', keyFile: 'b', clientCaFile: 'c' };
    const health = { port: 5003 };
    const certified = (clientCertificates: string) =>
      notes(lodash.merge({}, MINIMAL, { config: { health, tls: { ...tls, clientCertificates } } }));
    expect(certified('require')).toContain('curl -sS --insecure --cert tls.crt --key tls.key https://');
    expect(certified('request')).not.toContain('--cert');
    const jwt = { issuer: 'https://idp.example.com', audience: 'a' };
    const required = lodash.merge({}, MINIMAL, { config: { identity: { required: true, jwt } } });
    expect(notes(required)).toContain('send a payload with a token of https://idp.example.com in TOKEN:');
    expect(notes(required)).toContain('--header "Authorization: Bearer $TOKEN"');
    const headers = { authorization: 'Bearer a' };
    expect(notes({ ...required, test: { headers } })).not.toContain('TOKEN');
    expect(notes(MINIMAL)).not.toContain('TOKEN');
  });

  it('have a payload to try if the values have none, and one that a shell takes as it is', () => {
    expect(sentBy(notes(MINIMAL))).toEqual({
      parameters: {},
      vendor: {},
      json: { id: 'c1', name: 'Ann Lee' },
    });
    const request = { parameters: {}, vendor: {}, json: { name: "O'Hara <ann@example.com>" } };
    expect(sentBy(notes({ ...MINIMAL, test: { request } }))).toEqual(request);
  });

  it('say which names are missing with a remote PDP, without which masks with conditions are refused', () => {
    expect(notes(MINIMAL)).toContain('config.attrName is missing');
    expect(notes(lodash.merge({}, MINIMAL, { config: { attrName: 'column' } }))).not.toContain('attrName');
    expect(notes({ ...SAMPLE, config: { port: 5002 } })).not.toContain('attrName');
  });

  it('say how to run the test of the release', () => {
    expect(notes(MINIMAL)).toContain('helm --namespace bank test my');
  });
});
