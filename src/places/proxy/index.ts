/** The reverse proxy in front of an application. */
export type { Proxy } from './create-proxy.ts';
export { PROXY_KEYS } from './section.ts';

/** Serves as the reverse proxy. */
export const loadProxy = () => import('./create-proxy.ts');
