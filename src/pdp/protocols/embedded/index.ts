export { createEmbeddedPdp } from './adapter.ts';
export { loadPolicyFile, parsePolicyText, readPolicyText } from './policy-file/load.ts';
export { watchPolicyFile, type CurrentPolicies, type WatchedPolicies } from './policy-file/watch.ts';
export { startPdpServer } from './server.ts';
export { filtersRecords } from './policy.ts';
