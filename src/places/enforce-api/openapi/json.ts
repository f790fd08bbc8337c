/** A part of the description, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Points to a part of `components`. */
export function reference(kind: 'schemas' | 'responses' | 'headers' | 'parameters', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}
