/** Verifies the tokens of callers. */
export { authorizationIn, type Authorization } from './bearer.ts';
export type { Callers } from './callers.ts';
export { MOST_CLOCK_TOLERANCE } from './clock-tolerance.ts';
export { TokenRefused } from './refused.ts';
export { IDENTITY_KEYS } from './section.ts';
export type { TokenTrust } from './verify-token.ts';

/** Verifies the tokens of callers, by the keys of their identity provider. */
export const loadCallers = () => import('./callers.ts');
/** Verifies one token by keys that are known. */
export const loadVerifyToken = () => import('./verify-token.ts');
