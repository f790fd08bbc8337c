import { PAYLOADS } from '../payloads/payload.ts';

/** The body of an enforce request with a payload of customers, of so many bytes. */
export function enforceBody(bytes: number): Buffer {
  const vendor = { clientId: 'bench', clientSecret: 'bench', entityTypeId: 'User', entityId: 'ann' };
  const payload = PAYLOADS.customers(bytes);
  return Buffer.from(`{"parameters":{},"vendor":${JSON.stringify(vendor)},"json":${payload}}`);
}
