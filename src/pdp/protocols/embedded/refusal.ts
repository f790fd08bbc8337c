import type { FieldProblem } from '../../../errors.ts';

/** HTTP statuses with which the PDP refuses a question. */
type RefusalStatus = 400 | 401 | 403;

/**
 * A question that gets no decision. The message is a short sentence for the caller: it names what is wrong, and never
 * quotes a secret or a token.
 */
export class PdpRefusal extends Error {
  readonly status: RefusalStatus;
  /** What the caller has to change: pointers into the question, or an empty one. None if it is no mistake of the caller. */
  readonly problems: readonly FieldProblem[];

  constructor(status: RefusalStatus, reason: string, problems: readonly FieldProblem[] = []) {
    super(reason);
    this.name = 'PdpRefusal';
    this.status = status;
    this.problems = problems;
  }
}

/** A name from the question as it may appear in an answer: on one line, and no longer than names are. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
