export { createProxy, type Proxy } from './create-proxy.ts';
export type { ProxyOutcome } from './exchange.ts';
