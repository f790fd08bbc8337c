import type { X509Certificate } from 'node:crypto';
import process from 'node:process';

/** Contents of files of TLS, PEM. */
interface PemFiles {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

type Part = keyof PemFiles;

/** What is wrong with a file, as the rest of a sentence that begins with it. */
export interface PemProblem {
  readonly part: Part;
  readonly problem: string;
}

const NO_CERTIFICATE = 'holds no certificate in PEM';
const NOT_ALL_CERTIFICATES = `${NO_CERTIFICATE}, or one that cannot be read`;

const BEGIN = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/gu;
/** The first and the last line of a certificate have nothing else in them. */
const CERTIFICATE = new RegExp(
  `(?<![^\\n])${BEGIN.source}[^\\S\\n]*\\n[^-]+\\n${BEGIN.source.replace('BEGIN', 'END')}[^\\S\\n]*(?![^\\n])`,
  'gu',
);

/**
 * The certificates in a file. TLS takes those before the first that is broken, cut off or not on lines of its own, and says nothing of
 * the others.
 *
 * @throws Error if it holds none, or one that cannot be read
 */
export function certificatesIn(pem: Buffer): readonly X509Certificate[] {
  const { X509Certificate: Certificate } = process.getBuiltinModule('node:crypto');
  const text = pem.toString('latin1');
  const whole = text.match(CERTIFICATE) ?? [];
  if (whole.length === 0 || whole.length !== text.match(BEGIN)?.length) throw new Error(NOT_ALL_CERTIFICATES);
  return whole.map((one) => new Certificate(one));
}

/**
 * Which files of TLS cannot be used, and why. OpenSSL names neither file nor reason in words that help.
 *
 * @returns no problem if TLS takes the files; the last resort is the reason of OpenSSL for all of them
 */
export function pemProblems(files: PemFiles): readonly PemProblem[] | string {
  // Loaded only if files of TLS are configured: they take time and memory.
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule('node:crypto');
  const { ca, cert, key } = files;
  const readers: Readonly<Record<Part, readonly [read: () => unknown, problem: string]>> = {
    // Anything that is no certificate is taken for an empty list of authorities.
    ca: [() => ca && certificatesIn(ca), NOT_ALL_CERTIFICATES],
    // In another form than PEM, it can be read, but TLS does not take it.
    cert: [() => cert && firstCertificateIn(cert), NO_CERTIFICATE],
    key: [() => key && createPrivateKey(key), 'holds no private key in PEM, or one with a password'],
  };
  const problemWith = (part: Part): readonly PemProblem[] => {
    const [read, problem] = readers[part];
    return isDone(read) ? [] : [{ part, problem }];
  };
  try {
    createSecureContext(files);
    return problemWith('ca');
  } catch (error) {
    const problems = [...problemWith('ca'), ...problemWith('cert'), ...problemWith('key')];
    if (problems.length > 0 || !cert || !key) return problems.length > 0 ? problems : reasonOf(error);
    const isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
    return isPair ? reasonOf(error) : [{ part: 'key', problem: 'is not the key of the certificate' }];
  }
}

function firstCertificateIn(pem: Buffer): X509Certificate {
  const { X509Certificate: Certificate } = process.getBuiltinModule('node:crypto');
  if (pem.toString('latin1').search(BEGIN) < 0) throw new Error(NO_CERTIFICATE);
  return new Certificate(pem);
}

function isDone(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** In OpenSSL's words, or the system's code. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
