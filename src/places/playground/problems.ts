import type { ErrorCode, ServiceError } from '../../errors.ts';

/** What the reader typed, in parts that the page shows in different places. */
type Part = 'payload' | 'policies' | 'user' | 'settings';

/** Something that keeps the page from a result. */
export interface PlaygroundProblem {
  readonly part: Part;
  readonly message: string;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** The JSON pointer of the problem, if the part is JSON. */
  readonly pointer?: string | undefined;
  /** The code that `POST /enforce` answers, if the request gets that far. */
  readonly code?: ErrorCode | undefined;
}

const PARTS: Partial<Record<ErrorCode, Part>> = {
  'body-not-json': 'payload',
  'nesting-too-deep': 'payload',
  'answer-too-large': 'payload',
  'enforcement-too-costly': 'payload',
  'decision-not-understood': 'policies',
  'access-denied': 'policies',
  'pdp-unauthorized': 'user',
  'pdp-forbidden': 'user',
};

/** The place of a decision, which ends the sentence. */
const PLACE = / at (?<pointer>\/\S*)\.$/u;

/** What the service answers, as problems of the parts that it is about. */
export function problemsFrom({
  code,
  message,
  callerDetail,
  errors,
}: ServiceError): readonly PlaygroundProblem[] {
  if (errors.length === 0 || PARTS[code] !== undefined)
    return [{ part: PARTS[code] ?? 'settings', message: callerDetail ?? message, code, ...placeIn(message) }];
  return errors.map(({ pointer, detail }) => ({
    part: partAt(pointer),
    message: named(pointer, detail),
    code,
  }));
}

function placeIn(message: string): Pick<PlaygroundProblem, 'pointer'> {
  // A rules document is the result that OPA would answer.
  const pointer = PLACE.exec(message)?.groups?.['pointer']?.replace(/^\/result(?=\/|$)/u, '');
  return pointer === undefined ? {} : { pointer };
}

function partAt(pointer: string): Part {
  if (pointer.startsWith('/json')) return 'payload';
  return pointer.startsWith('/vendor') ? 'user' : 'settings';
}

/** The detail with the member that it is about. */
function named(pointer: string, detail: string): string {
  const [member] = pointer.split('/').slice(2);
  return member === undefined ? detail : `${member}: ${detail}`;
}

/** The line of a byte in a text, from 1. */
export function lineAt(bytes: Buffer, offset: number): number {
  return bytes.subarray(0, offset).toString().split('\n').length;
}
