import { startModule, portOf, stop } from '../service/child.ts';
import { contender, startService, type Contender } from '../service/contender.ts';
import { freePort } from '../../scripts/tools/free-port.ts';

interface ProxyOptions {
  readonly name: string;
  readonly entry: string;
  readonly pdpPort: number;
  /** Where the application listens. */
  readonly upstream: number;
  readonly configuration?: object;
}

/** Starts the service as a reverse proxy in front of the application. */
export async function startProxy(options: ProxyOptions): Promise<Contender> {
  const port = await freePort();
  const configuration = {
    proxy: { port, host: '127.0.0.1', upstream: `http://127.0.0.1:${options.upstream}` },
    routes: ROUTES,
    ...options.configuration,
  };
  return { ...(await startService({ ...options, configuration })), port };
}

/** Everything but the liveness is enforced. */
export const ROUTES = [{ path: '/health/**', pass: true }];

/** Starts the smallest reverse proxy that anyone would write by hand on undici. */
export async function startProxyByHand(upstream: number): Promise<Contender> {
  const child = startModule('baseline/proxy.ts', `http://127.0.0.1:${upstream}`);
  return contender('by hand', child, await portOf(child), () => stop(child));
}
