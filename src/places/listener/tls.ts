import type { X509Certificate } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket, type Server as TlsServer, type TlsOptions } from 'node:tls';
import _ from 'lodash';
import {
  certificatesIn,
  pemProblems,
  readBounded,
  readRegular,
  unlessKnown,
  watchFiles,
  whyUnreadable,
  type FileReader,
} from '../../files/index.ts';
import { Connections } from './connections.ts';
import { TlsFilesError, type TlsFileProblem, type TlsSettings } from './tls-settings.ts';
import type { Logger } from '../../telemetry/log/index.ts';

/** The longest chain of certificates that is followed: longer than any in use. */
const MAX_LINKS = 16;

/** What is in the files, PEM. */
interface TlsContent {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
}

/**
 * Reads the files.
 *
 * @param read how each is read
 * @throws TlsFilesError if one cannot be read, or they do not fit together
 */
export function readTlsFiles(
  { certFile, keyFile, clientCaFile }: TlsSettings,
  read: FileReader = readBounded,
): TlsContent {
  const unreadable: TlsFileProblem[] = [];
  const readPem = (key: string, file: string | undefined): Buffer | undefined => {
    try {
      if (file !== undefined) return read(file);
      unreadable.push({ key, message: 'is required' });
    } catch (error) {
      unreadable.push({ key, message: `names ${file}, which cannot be read: ${whyUnreadable(error)}` });
    }
    return undefined;
  };
  const cert = readPem(KEYS.cert, certFile);
  const key = readPem(KEYS.key, keyFile);
  const ca = clientCaFile === undefined ? undefined : readPem(KEYS.ca, clientCaFile);
  if (cert === undefined || key === undefined || unreadable.length > 0) throw new TlsFilesError(unreadable);
  const content = { cert, key, ...(ca && { ca }) };
  const problems = pemProblems(content);
  if (problems.length === 0) return content;
  if (typeof problems === 'string') throw new TlsFilesError([{ key: 'tls', message: problems }]);
  const files = { cert: certFile, key: keyFile, ca: clientCaFile };
  throw new TlsFilesError(
    problems.map(({ part, problem }) => ({
      key: KEYS[part],
      message: `names ${files[part]}, which ${problem}`,
    })),
  );
}

const KEYS = { cert: 'tls.certFile', key: 'tls.keyFile', ca: 'tls.clientCaFile' } as const;

interface TlsServerOptions extends ServerOptions {
  readonly tls: TlsSettings;
  readonly log: Logger;
}

/**
 * A server of HTTPS, TLS 1.2 at least.
 *
 * @throws TlsFilesError if the files cannot be used
 */
export function createTlsServer(
  { tls, log, ...options }: TlsServerOptions,
  handler: RequestListener,
): Server {
  const secure = secureOptions(tls);
  const server = createServer({ ...options, ...secure }, handler);
  reloadOnChange(server, { tls, read: secure, log, end: (isMeant) => Connections.of(server).end(isMeant) });
  return server;
}

/**
 * What a server of TLS needs to know.
 *
 * @throws TlsFilesError if the files cannot be used
 */
export function secureOptions(tls: TlsSettings): TlsOptions & TlsContent {
  return {
    ...readTlsFiles(tls),
    minVersion: 'TLSv1.2',
    requestCert: tls.clientCertificates !== 'none',
    rejectUnauthorized: tls.clientCertificates === 'require',
  };
}

interface ReloadOptions {
  readonly tls: TlsSettings;
  /** What the server was made with. */
  readonly read: TlsContent;
  readonly log: Logger;
  /** Ends the connections that the predicate selects. @returns how many */
  readonly end: (isMeant: (socket: Socket) => boolean) => number;
}

/** Refuses callers with a bad certificate, and reads the files again when they change. If they are not valid, it keeps the current ones. */
export function reloadOnChange(server: TlsServer, options: ReloadOptions): void {
  server.on('secureConnection', refuseBadCertificate);
  const { tls, read, log } = options;
  const readAgain = (): TlsContent => readTlsFiles(tls, readRegular);
  const renew = unlessKnown(_.pick(read, ['cert', 'key', 'ca']), readAgain, (content) => {
    server.setSecureContext({ ...content, minVersion: 'TLSv1.2' });
    log.info('TLS reloaded');
    endUntrusted(content, options);
  });
  const onChange = (): void => {
    try {
      renew();
    } catch (error) {
      log.error('TLS reload failed; keeping the current certificate', { error });
    }
  };
  const watch = watchFiles(filesOf(tls), onChange, { seen: 'changed' });
  server.once('close', () => watch.close());
}

function filesOf({ certFile, keyFile, clientCaFile }: TlsSettings): readonly string[] {
  return _.compact([certFile, keyFile, clientCaFile]);
}

/** Ends the connections of callers whose certificate no longer has a trusted issuer. */
function endUntrusted({ ca }: TlsContent, { end, log }: ReloadOptions): void {
  if (ca === undefined) return;
  const authorities = certificatesIn(ca);
  // Thousands of connections may have the same certificate.
  const isIssued = _.memoize(
    (certificate: X509Certificate) => authorities.some((authority) => isIssuedBy(certificate, authority)),
    ({ fingerprint256 }) => fingerprint256,
  );
  const ended = end((socket) => socket instanceof TLSSocket && isUntrusted(socket, isIssued));
  if (ended > 0) log.info('Connections closed: client certificate no longer trusted', { ended });
}

/** Whether one of the authorities has issued a certificate, or it is one of theirs. */
type IssuedByAuthority = (certificate: X509Certificate) => boolean;

function isUntrusted(socket: TLSSocket, isIssued: IssuedByAuthority): boolean {
  const certificate = socket.getPeerX509Certificate();
  return certificate !== undefined && !hasTrustedIssuer(certificate, isIssued);
}

/** Directly, or through a chain of the certificates that the caller showed. */
function hasTrustedIssuer(
  certificate: X509Certificate,
  isIssued: IssuedByAuthority,
  links = MAX_LINKS,
): boolean {
  if (isIssued(certificate)) return true;
  const { issuerCertificate } = certificate;
  return (
    issuerCertificate !== undefined && links > 0 && hasTrustedIssuer(issuerCertificate, isIssued, links - 1)
  );
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  if (certificate.fingerprint256 === authority.fingerprint256) return true;
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** If certificates are requested and not required, one that a caller shows must be valid all the same. */
function refuseBadCertificate(socket: TLSSocket): void {
  if (!socket.authorized && socket.getPeerX509Certificate() !== undefined) socket.destroy();
}
