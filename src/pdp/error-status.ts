/** The cause of a failure: the PDP answered with a status that is no decision and no refusal of the caller. */
export class ErrorStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`Status ${status}`);
    this.name = 'ErrorStatus';
    this.status = status;
  }
}
