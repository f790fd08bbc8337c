/** The files of the listener's TLS, and what it asks of callers. */
export interface TlsSettings {
  /** Without it, the listener speaks plain HTTP. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
  readonly clientCertificates: 'none' | 'request' | 'require';
}

/** Files that no listener can use. The message names the file or says what does not fit; it quotes none of them. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError';
}
