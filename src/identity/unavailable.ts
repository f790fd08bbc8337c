/** The identity provider does not hand out its keys, so no token can be judged. The message quotes nothing of its answer. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable';
}
