/** The reverse proxy in front of an application. */
export { createProxy, type Proxy } from './create-proxy.ts';
export { PROXY_KEYS } from './section.ts';
