import { parsePdpHost, parsePdpUrl } from './pdp-address.ts';
import type { Configuration } from './schema.ts';

/** The URLs of the two questions to a remote PDP. */
export interface PdpEndpoints {
  readonly resolution: URL;
  readonly token: URL;
}

type EndpointKeys = Pick<
  Configuration,
  'pdpUrl' | 'pdpHost' | 'pdpPort' | 'pdpResolutionPath' | 'pdpTokenPath'
>;

function at(origin: URL, path: string): URL {
  const url = new URL(origin);
  // Not resolved as a reference, which could lead to another host.
  url.pathname = path;
  return url;
}

/**
 * The address of the remote PDP as it is configured: the `pdpHost`, which wins, or else the `pdpUrl`.
 *
 * @throws TypeError if the configuration has neither, as with the embedded PDP
 */
export function pdpAddress({ pdpHost, pdpPort, pdpUrl }: EndpointKeys): URL {
  const url = pdpHost === undefined ? parsePdpUrl(pdpUrl ?? '') : parsePdpHost(pdpHost, pdpPort);
  if (url === null) throw new TypeError('The configuration has no address of a PDP');
  return url;
}

/**
 * The endpoints of the remote PDP (docs/configuration.md#the-address-of-the-pdp).
 *
 * A `pdpUrl` with a path is the resolution endpoint itself; anything else gets both configured paths.
 *
 * @throws TypeError if the configuration has neither a valid `pdpUrl` nor `pdpHost`, as with the embedded PDP
 */
export function resolveEndpoints(configuration: EndpointKeys): PdpEndpoints {
  const { pdpResolutionPath, pdpTokenPath } = configuration;
  const address = pdpAddress(configuration);
  const resolution = address.pathname === '/' ? at(address, pdpResolutionPath) : address;
  return { resolution, token: at(address, pdpTokenPath) };
}
