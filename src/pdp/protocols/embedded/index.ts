/** The embedded PDP: policy files, their evaluation, and the server of `authz-jsonmasking pdp`. */
export { createEmbeddedPdp } from './adapter.ts';
export { loadPolicyFile, parsePolicyText, readPolicyText } from './policy-file/load.ts';
export { watchPolicyFile, type CurrentPolicies, type WatchedPolicies } from './policy-file/watch.ts';
export { loadPolicyTests, type PolicyTest } from './policy-file/load-tests.ts';
export { userOfTest } from './test-user.ts';

/** Serves the embedded PDP over HTTP. */
export const loadPdpServer = () => import('./server.ts');
