/** The embedded PDP: policy files, their evaluation, and the server of `authz-jsonmasking pdp`. */
export { createEmbeddedPdp } from './adapter.ts';
export { readPolicyFile } from './policy-file/read.ts';
export { readPolicyText } from './policy-file/policy-text.ts';
export type { CurrentPolicies, WatchedPolicies } from './policy-file/watch.ts';
export type { PolicyTest } from './policy-file/load-tests.ts';
export { userOfTest } from './test-user.ts';

/** Reads policies that need not be plain, and says what is wrong with them. */
export const loadPolicyReader = () => import('./policy-file/load.ts');
/** Reads a policy file again when it changes. */
export const loadPolicyWatch = () => import('./policy-file/watch.ts');
/** Reads tests of policies. */
export const loadTestReader = () => import('./policy-file/load-tests.ts');
/** Serves the embedded PDP over HTTP. */
export const loadPdpServer = () => import('./server.ts');
