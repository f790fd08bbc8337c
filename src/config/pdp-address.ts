/**
 * A name as TLS sends it (RFC 6066, section 3): labels, of which the last is no number, as it is in an IP address. Go reads the
 * expression as well, for the chart.
 */
export const SERVER_NAME = /^(?:[\w-]+\.)*[\w-]*[A-Za-z_-][\w-]*$/u;

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)$/i;
const HOST_AND_PORT = /^(?:\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+):\d+$/i;
/** What a URL parser forgives although nobody means it: spaces, controls, backslashes, an empty host. */
const SLOPPY = /[\s\p{Cc}\\]|:\/\/\//u;

const HTTPS_PORT = 443;

const NOT_A_URL =
  'must be a URL such as https://pdp.example.com/api/runtime/resolution/v3, or host:port with or without http:// or https://';
const NOT_A_HOST =
  'must be a host such as pdp.example.com or https://pdp.example.com; a port belongs in pdpPort, paths in pdpResolutionPath and pdpTokenPath';
const WRONG_SCHEME = 'must be reached over http:// or https://';
const HAS_CREDENTIALS = 'must not carry a user name or password: the configuration is no place for secrets';

function withScheme(address: string, port: number | undefined): string {
  if (SCHEME.test(address)) return address;
  return `${port === HTTPS_PORT ? 'https' : 'http'}://${address}`;
}

function trailingPort(address: string): number | undefined {
  const digits = /:(\d+)$/.exec(address)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function parseAddress(address: string, port: number | undefined): URL | null {
  const url = withScheme(address, port);
  return !SLOPPY.test(address) && URL.canParse(url) ? new URL(url) : null;
}

/** A `pdpUrl` as a URL. Without a scheme it is https if its port is 443, else http. Null if it is not valid. */
export function parsePdpUrl(text: string): URL | null {
  return parseAddress(text, trailingPort(text));
}

/** A `pdpHost` with its `pdpPort` as a URL; the scheme as in {@link parsePdpUrl}. Null if it is not valid. */
export function parsePdpHost(text: string, port?: number): URL | null {
  const url = parseAddress(text, port);
  if (url !== null && port !== undefined) url.port = String(port);
  return url;
}

function commonProblem(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return WRONG_SCHEME;
  return url.username || url.password ? HAS_CREDENTIALS : undefined;
}

/** The problem with a `pdpUrl`; undefined if it is valid. */
export function pdpUrlProblem(text: string): string | undefined {
  const url = parsePdpUrl(text);
  if (url === null || url.port === '0') return NOT_A_URL;
  const problem = commonProblem(url);
  if (problem !== undefined) return problem;
  if (/[?#]/.test(text)) return 'must have no query and no fragment';
  return SCHEME.test(text) || HOST_AND_PORT.test(text) ? undefined : NOT_A_URL;
}

/** The problem with a `pdpHost`; undefined if it is valid. */
export function pdpHostProblem(text: string): string | undefined {
  const url = parsePdpHost(text);
  if (url === null) return NOT_A_HOST;
  return commonProblem(url) ?? (HOST.test(text.replace(SCHEME, '')) ? undefined : NOT_A_HOST);
}
