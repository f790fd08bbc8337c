/** The files of the listener's TLS, and what it asks of callers. */
export interface TlsSettings {
  /** Without it, the listener speaks plain HTTP. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
  readonly clientCertificates: 'none' | 'request' | 'require';
}

export interface TlsFileProblem {
  /** Of the configuration, such as `tls.certFile`. */
  readonly key: string;
  /** What is wrong with the file, as the rest of a sentence that begins with the key. */
  readonly message: string;
}

/** Files that no listener can use. The message names the files and says what does not fit; it quotes none of them. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError';
  readonly problems: readonly TlsFileProblem[];

  constructor(problems: readonly TlsFileProblem[]) {
    const reasons = problems.map(({ key, message }) => `${key} ${message}`);
    super(`The files of tls cannot be used: ${reasons.join('; ')}.`);
    this.problems = problems;
  }
}
