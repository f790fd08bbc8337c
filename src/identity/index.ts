/** Verifies the tokens of callers. */
export { authorizationIn, type Authorization } from './bearer.ts';
export { createCallers, type Callers } from './callers.ts';
export { TokenRefused } from './refused.ts';
export { IDENTITY_KEYS } from './section.ts';
export { verifyToken, type TokenTrust } from './verify-token.ts';
