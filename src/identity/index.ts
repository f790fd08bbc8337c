export { TokenRefused } from './refused.ts';
export { verifyToken, type TokenTrust } from './verify-token.ts';
