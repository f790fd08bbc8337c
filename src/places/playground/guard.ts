import type { IncomingMessage } from 'node:http';

const HTTP_PORT = 80;

/** What a page of the playground may be called by: a name that a DNS server can point here is not among them. */
function hostsAt(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost'];
  // Clients leave out the port that is http's own.
  return new Set([...names.map((name) => `${name}:${port}`), ...(port === HTTP_PORT ? names : [])]);
}

/**
 * Whether a request comes from the page itself, or from a program on this machine. Any page that is open in a browser can
 * send requests to a loopback address: one under another name (DNS rebinding) says so in `Host`, and one from elsewhere
 * in `Origin` and `Sec-Fetch-Site`.
 *
 * @returns why it is refused; undefined if it is not
 */
export function whyRefused(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  port: number,
): string | undefined {
  const hosts = hostsAt(port);
  const { host = '', origin } = headers;
  const isUnclear = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length !== 1;
  if (isUnclear || !hosts.has(host.toLowerCase()))
    return `Open the playground as http://127.0.0.1:${port}/ or http://localhost:${port}/.`;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return 'Only the page of the playground may ask.';
  return undefined;
}

/** Whether another site makes the browser send the request. It may open the page by a link, and read nothing. */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  return site !== 'none' && site !== 'same-origin' && headers['sec-fetch-mode'] !== 'navigate';
}
