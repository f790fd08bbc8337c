import type { Dispatcher } from 'undici';
import * as z from 'zod';
import { PAYLOADS } from '../payloads/payload.ts';

/** How a contender gets its payload: in a request to `/enforce`, or from the application that it is in front of. */
export const payloadSource = z.enum(['request', 'application']);
export type PayloadSource = z.output<typeof payloadSource>;

type Request = Pick<Dispatcher.DispatchOptions, 'method' | 'path'> & {
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
};

/** A request that is answered with a masked payload of customers, of so many bytes. */
export function requestFor(source: PayloadSource, bytes: number): Request {
  if (source === 'application') return { method: 'GET', path: `/customers/${bytes}` };
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path: '/enforce', headers, body: enforceBody(bytes) };
}

function enforceBody(bytes: number): Buffer {
  const vendor = { clientId: 'bench', clientSecret: 'bench', entityTypeId: 'User', entityId: 'ann' };
  const payload = PAYLOADS.customers(bytes);
  return Buffer.from(`{"parameters":{},"vendor":${JSON.stringify(vendor)},"json":${payload}}`);
}
