/** Whether what an application gives is an object with members: types do not bind callers that are written in JavaScript. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
