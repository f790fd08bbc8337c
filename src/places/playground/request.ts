import * as z from 'zod';
import { TOP, scan, strictValueAt } from '../../core/index.ts';
import { shortened } from '../../shortened.ts';

const requestSchema = z.strictObject({
  /** What is wrong with them, the service itself says. */
  parameters: z.record(z.string(), z.unknown()),
  vendor: z.record(z.string(), z.unknown()),
  /** JSON; empty for none. */
  claims: z.string(),
  source: z.strictObject({ kind: z.enum(['policies', 'decision', 'rules']), text: z.string() }),
  settings: z.strictObject({
    attrName: z.string().optional(),
    object: z.string().optional(),
    filterDefault: z.enum(['allow', 'deny']).optional(),
  }),
  payload: z.string(),
});

/** What the page asks: everything that its reader typed. */
export type PlaygroundRequest = z.infer<typeof requestSchema>;

/** How deep the body of a question nests at most; the payload in it is text. */
const MAX_DEPTH = 16;

/** A question is not as the page writes it. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
}

/** @throws QuestionError if the page did not write it */
export function readPlaygroundRequest(body: Buffer): PlaygroundRequest {
  const read = requestSchema.safeParse(valueOf(body));
  if (read.success) return read.data;
  const places = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  throw new QuestionError(`The question is not as the page writes it. ${shortened(places.join('. '))}`);
}

function valueOf(body: Buffer): unknown {
  try {
    return strictValueAt(scan(body, MAX_DEPTH), TOP);
  } catch (error) {
    throw new QuestionError('The question is not JSON that the page writes.', { cause: error });
  }
}
