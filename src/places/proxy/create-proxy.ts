import type { RequestListener } from 'node:http';
import { proxyHandler } from './proxy.ts';
import type { ProxyOptions } from './transit.ts';
import { upgradeHandler, type UpgradeListener } from './upgrade.ts';
import { Upstream } from './upstream.ts';

/** The reverse proxy, not yet listening. */
export interface Proxy {
  readonly handler: RequestListener;
  readonly onUpgrade: UpgradeListener;
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
    onUpgrade: upgradeHandler({ ...options, origin: new URL(origin), timeout }),
    close: () => upstream.close(),
  };
}
