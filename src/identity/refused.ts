/** The service does not accept the token. The message is a sentence for the caller and quotes nothing of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}
