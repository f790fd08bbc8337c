import type { HeaderFields } from '../../pdp/port.ts';
import type { Trace, Tracing } from './tracing.ts';

const TRACEPARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** A request that is no part of any trace. */
export const NO_TRACE: Trace = passedOn([]);

/** No traces of its own: the caller's goes on as it came, and the log can be found by it. */
export const TRACING_OFF: Tracing = {
  begin: ({ headers }) => passedOn(headers),
  follow: (pdp) => pdp,
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
