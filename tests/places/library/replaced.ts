import type { ServerResponse } from 'node:http';

export type Arguments = readonly unknown[];

/** A method as it is, without its types. */
export function methodOf(target: object, name: string): (...args: Arguments) => unknown {
  return Reflect.get(target, name);
}

/** Replaces a method of a response, as middleware does. */
export function replace(
  response: ServerResponse,
  name: 'writeHead' | 'end',
  method: (original: (args: Arguments) => unknown, args: Arguments) => unknown,
): void {
  const original = methodOf(response, name);
  Object.assign(response, {
    [name]: (...args: Arguments) => method((own) => Reflect.apply(original, response, own), args),
  });
}
