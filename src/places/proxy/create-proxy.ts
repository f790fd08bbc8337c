import type { RequestListener } from 'node:http';
import type { Upgrades } from '../listener/index.ts';
import { proxyHandler } from './proxy.ts';
import type { ProxyOptions } from './transit.ts';
import { upgradesBy } from './upgrade.ts';
import { Upstream } from './upstream.ts';

/** The reverse proxy, not yet listening. */
export interface Proxy {
  readonly handler: RequestListener;
  /** What its listener needs besides the handler. */
  readonly listening: { readonly upgrades: Upgrades; readonly optimizeEmptyRequests: boolean };
  /** Closes the connections to the application. */
  close(): Promise<void>;
}

interface Settings extends Omit<ProxyOptions, 'upstream'> {
  /** The origin of the application. */
  readonly upstream: string;
  /** How long it may take, in milliseconds. */
  readonly timeout: number;
}

/** Creates the reverse proxy in front of an application (docs/proxy.md). */
export function createProxy({ upstream: origin, timeout, ...settings }: Settings): Proxy {
  const upstream = new Upstream(origin, timeout);
  const options = { ...settings, upstream };
  return {
    handler: proxyHandler(options),
    listening: {
      upgrades: upgradesBy({ ...options, origin: new URL(origin), timeout }),
      // The body of a request is read only if its header fields announce one.
      optimizeEmptyRequests: true,
    },
    close: () => upstream.close(),
  };
}
