/** Ends the enforcement with a status instead of a payload (docs/errors.md). */
export class Refusal extends Error {
  readonly status: 400 | 422 | 502;

  constructor(status: Refusal['status'], reason: string) {
    super(reason);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** Narrows away undefined, or ends the enforcement: the decision is not understood. */
export function understood<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Refusal(502, `The decision is not understood: ${what}`);
  return value;
}

/** Ends the enforcement unless the decision is as it must be. */
export function requireOfDecision(condition: boolean, what: string): void {
  if (!condition) understood(undefined, what);
}
