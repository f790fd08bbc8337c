// oxlint-disable-next-line import/no-unassigned-import -- it adds what the decorators of x509 need
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY = 24 * 3_600_000;

/** A certificate and its private key, in PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** An authority for tests, which vouches for whomever it is asked to. */
export interface Authority {
  /** Its own certificate, in PEM. */
  readonly cert: string;
  /** @param name a host name or an IP address, which the certificate is for */
  readonly issue: (name: string) => Promise<Identity>;
}

/** Makes an authority that nobody trusts yet. Of two that are trusted together, each needs a name of its own. */
export async function createAuthority(called = 'Test authority'): Promise<Authority> {
  const keys = await generateKeys();
  const own = await X509CertificateGenerator.createSelfSigned(
    {
      ...validity(),
      name: `CN=${called}`,
      keys,
      signingAlgorithm: KEYS,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    },
    webcrypto,
  );
  return { cert: own.toString('pem'), issue: (name) => issue(own, keys.privateKey, name) };
}

async function issue(
  authority: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  name: string,
): Promise<Identity> {
  const { publicKey, privateKey } = await generateKeys();
  const type = /^[\d.]+$/.test(name) ? 'ip' : 'dns';
  const cert = await X509CertificateGenerator.create(
    {
      ...validity(),
      subject: `CN=${name}`,
      issuer: authority.subject,
      publicKey,
      signingKey,
      signingAlgorithm: KEYS,
      extensions: [new SubjectAlternativeNameExtension([{ type, value: name }])],
    },
    webcrypto,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return { cert: cert.toString('pem'), key: PemConverter.encode(key, PemConverter.PrivateKeyTag) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
}

function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - DAY), notAfter: new Date(now + DAY) };
}
