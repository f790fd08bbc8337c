import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderFields } from '../../../enforcement/index.ts';
import { planFor, type AnswerPlan, type FieldChanges } from '../../answer/index.ts';

/** What is done with an answer whose status and header fields are final. Streams of records cannot be held, so they are refused. */
export function planOf(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  passesNonJson: boolean,
): AnswerPlan {
  const head = { status: response.statusCode, fields: fieldsIn(response) };
  const plan = planFor(method, head, passesNonJson);
  if (plan.kind !== 'enforce' || plan.format === 'json') return plan;
  return { kind: 'refuse', reason: 'it is a stream of records', unlessEmpty: true };
}

/** The header fields that a response has so far. */
export function fieldsIn(response: ServerResponse): HeaderFields {
  return response
    .getHeaderNames()
    .flatMap((name) =>
      [response.getHeader(name) ?? []].flat().map((value) => [name, String(value)] as const),
    );
}

export function change(response: ServerResponse, { set, remove }: FieldChanges): void {
  for (const name of remove) response.removeHeader(name);
  for (const [name, value] of set) response.setHeader(name, value);
}

/**
 * Drops what the application says of the framing of its body, and lets Node.js choose one. Node.js takes a removed field for a wish to
 * have none: then the end of the connection is the end of a body whose length is not known, such as one that is compressed later.
 */
export function dropFraming(response: ServerResponse): void {
  if (response.hasHeader('Transfer-Encoding')) response.setHeader('Transfer-Encoding', []);
}
