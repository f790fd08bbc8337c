import { ROOT_CONTEXT, type Context, type TextMapGetter, type TextMapSetter } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { HeaderFields } from './tracing.ts';

const propagator = new W3CTraceContextPropagator();

/** Several fields of one name are put together (RFC 9110 §5.3): two parents are no parent. */
const getter: TextMapGetter<HeaderFields> = {
  keys: (headers) => headers.map(([name]) => name),
  get(headers, key) {
    const values = headers.filter(([name]) => name.toLowerCase() === key).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(',');
  },
};

const setter: TextMapSetter<[string, string][]> = {
  set: (fields, key, value) => void fields.push([key, value]),
};

/** The parent span that the header names; a new trace if it names none. */
export function contextIn(headers: HeaderFields): Context {
  return propagator.extract(ROOT_CONTEXT, headers, getter);
}

/** The header, with this place in a trace instead of what it says of one. */
export function withContext(headers: HeaderFields, context: Context): HeaderFields {
  const fields: [string, string][] = [];
  propagator.inject(context, fields, setter);
  const own = propagator.fields();
  return [...headers.filter(([name]) => !own.includes(name.toLowerCase())), ...fields];
}
