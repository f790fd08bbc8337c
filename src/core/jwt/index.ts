export { CLAIM_PATH_PATTERN, parseClaimPath, selectClaims, SUBJECT, type ClaimPath } from './claim-path.ts';
export { claimValues, expirationOf, identifierAt, type Statement } from './claim-values.ts';
export { readTokenClaims, readTokenHeader, readTokenObject } from './compact.ts';
