import * as z from 'zod';
import { TOP, scan, strictValueAt } from '../../core/index.ts';

const requestSchema = z.strictObject({
  parameters: z.record(z.string(), z.union([z.string(), z.boolean()])),
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

/** @throws Error if the page did not write it */
export function readPlaygroundRequest(body: Buffer): PlaygroundRequest {
  return requestSchema.parse(strictValueAt(scan(body, MAX_DEPTH), TOP));
}
