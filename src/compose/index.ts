/** Builds the service, or enforcement without a listener, from a configuration. */
export type { App } from './app.ts';
export type { Sources } from './in-process.ts';

/** Builds the service. */
export const loadApp = () => import('./app.ts');
/** Verifies the files that a configuration names. */
export const loadFileCheck = () => import('./check-files.ts');
/** Builds enforcement without a listener, for the library and the commands. */
export const loadInProcess = () => import('./in-process.ts');
/** Reports the versions of a policy file. */
export const loadPolicyReports = () => import('./policies.ts');
/** Warns of policies that probably do not do as they are meant to. */
export const loadPolicyWarnings = () => import('./policy-warnings.ts');
/** Builds what the playground asks. */
export const loadPlaygroundParts = () => import('./playground.ts');
/** Builds what tests of policies are run with. */
export const loadTestParts = () => import('./testing.ts');
