// oxlint-disable-next-line import/no-unassigned-import -- it adds what the decorators of x509 need
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509';
import { expect, test } from '@jest/globals';
import { certificatesIn, pemProblems } from '../../src/files/pem.ts';

const DAY = 24 * 3_600_000;
/** A key that TLS takes for too short. */
const SHORT_KEY = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 1024,
  publicExponent: Uint8Array.of(1, 0, 1),
};

test('a certificate and its key that TLS does not take have the reason of TLS, and fit together', async () => {
  const keys = await webcrypto.subtle.generateKey(SHORT_KEY, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=short',
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + DAY),
      keys,
      signingAlgorithm: SHORT_KEY,
    },
    webcrypto,
  );
  const cert = Buffer.from(made.toString('pem'));
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = Buffer.from(PemConverter.encode(pkcs8, PemConverter.PrivateKeyTag));
  expect(pemProblems({ cert, key })).toBe('ee key too small');
});

/** Each place of the empty lines was tried as the end of the first line, for a minute and more. */
test('a certificate that never ends, after many empty lines, is read once', () => {
  const pem = Buffer.from(`-----BEGIN CERTIFICATE-----${'\n'.repeat(100_000)}`);
  expect(() => certificatesIn(pem)).toThrow('holds no certificate in PEM');
});
