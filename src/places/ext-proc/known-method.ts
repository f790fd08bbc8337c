import { METHODS } from 'node:http';

const KNOWN: ReadonlySet<string> = new Set(METHODS);
/** What OpenTelemetry calls all others (semantic conventions of HTTP spans). */
const OTHER = '_OTHER';

/**
 * The method of a request for logs and traces. Over HTTP/2, Envoy passes on whatever text a client sends: each would be another
 * span name, of any length.
 */
export function knownMethod(method: string): string {
  return KNOWN.has(method) ? method : OTHER;
}
