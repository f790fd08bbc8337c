import type { HeaderFields, Trace, Tracing } from './tracing.ts';

const TRACEPARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

const NO_PART = { end: () => undefined, fail: () => undefined };

class PassedOn implements Trace {
  readonly traceId: string | undefined;

  constructor(incoming: HeaderFields) {
    this.traceId = traceIdIn(incoming);
  }

  carry(headers: HeaderFields): HeaderFields {
    return headers;
  }

  begin(): typeof NO_PART {
    return NO_PART;
  }

  end(): void {}
}

const PARENT = 'traceparent';

/** Only an id that is well-formed, which is fit for a log; of several, none. */
function traceIdIn(headers: HeaderFields): string | undefined {
  let found: string | undefined;
  for (const [name, value] of headers) {
    if (name.length !== PARENT.length || name.toLowerCase() !== PARENT) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return found === undefined ? undefined : TRACEPARENT.exec(found)?.groups?.['traceId'];
}

/** A request without a trace. */
export const NO_TRACE: Trace = new PassedOn([]);

/** The service makes no spans. The caller's trace continues at the PDP, and the log names its id. */
export const TRACING_OFF: Tracing = {
  begin: ({ headers }) => new PassedOn(headers),
  close: () => Promise.resolve(),
};
