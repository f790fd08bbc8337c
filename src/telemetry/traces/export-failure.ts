/** Codes of Node for header fields that HTTP does not allow. Their messages have the field in them. */
const BAD_HEADER: ReadonlySet<string> = new Set(['ERR_INVALID_HTTP_TOKEN', 'ERR_INVALID_CHAR']);

/** What OpenTelemetry says of a collector that does not answer, in errors without a code. */
const NO_ANSWER: ReadonlySet<string> = new Set(['Timeout', 'Request timed out']);

/**
 * Says why traces could not be sent. Texts of errors are left out: they may have a header field in them, or what the collector says of one,
 * and so the credentials for the collector.
 *
 * @param error of the exporter: with an HTTP status or a code of the system or of Node as its `code`, or without
 */
export function exportFailure(error: unknown): string {
  if (!Error.isError(error)) return 'unknown';
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `the collector answered with ${code}`;
  if (typeof code !== 'string') {
    return NO_ANSWER.has(error.message) ? 'the collector did not answer in time' : error.name;
  }
  return BAD_HEADER.has(code)
    ? 'OTEL_EXPORTER_OTLP_HEADERS has a field that HTTP does not allow; write name=value'
    : code;
}
