const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not listen on it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is unknown',
};
/** Another port may help. */
const OF_THE_PORT: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);

/** Why the service cannot listen, as one line for a terminal. */
export function listenFailure(error: NodeJS.ErrnoException, host: string | undefined, port: number): string {
  const place = host === undefined ? `port ${port}` : `${host}:${port}`;
  const code = error.code ?? 'unknown';
  return `Cannot listen on ${place}: ${REASONS[code] ?? 'the system refuses'} (${code}).`;
}

/** The same for a command whose option chooses the port. */
export function chosenPortFailure(
  error: NodeJS.ErrnoException,
  host: string | undefined,
  port: number,
): string {
  const reason = listenFailure(error, host, port);
  return OF_THE_PORT.has(error.code ?? '') ? `${reason} Choose another one with --port.` : reason;
}
