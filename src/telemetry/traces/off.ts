import type { HeaderFields, Trace, Tracing } from './tracing.ts';

const TRACEPARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** A request without a trace. */
export const NO_TRACE: Trace = passedOn([]);

/** The service makes no spans. The caller's trace continues at the PDP, and the log names its id. */
export const TRACING_OFF: Tracing = {
  begin: ({ headers }) => passedOn(headers),
  close: () => Promise.resolve(),
};

function passedOn(incoming: HeaderFields): Trace {
  return {
    traceId: traceIdIn(incoming),
    carry: (headers) => headers,
    measure: (_name, work) => work(),
    end: () => undefined,
  };
}

/** Only an id that is well-formed, which is fit for a log; of several, none. */
function traceIdIn(headers: HeaderFields): string | undefined {
  const [only, ...others] = headers.filter(([name]) => name.toLowerCase() === 'traceparent');
  return others.length > 0 ? undefined : TRACEPARENT.exec(only?.[1] ?? '')?.groups?.['traceId'];
}
