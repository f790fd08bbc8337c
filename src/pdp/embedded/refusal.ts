/** HTTP statuses with which the PDP refuses a question. */
type RefusalStatus = 400 | 401 | 403;

/**
 * A question that gets no decision. The message is a short sentence for whoever asked: it names what is wrong, and never
 * quotes a secret or a token.
 */
export class PdpRefusal extends Error {
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, reason: string) {
    super(reason);
    this.name = 'PdpRefusal';
    this.status = status;
  }
}
