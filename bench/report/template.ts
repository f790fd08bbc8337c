import { readFileSync } from 'node:fs';
import path from 'node:path';

const PLACEHOLDER = /\{\{ (?<name>[a-z -]+) \}\}/gu;

/**
 * A template of this folder with values put in.
 *
 * @throws Error if the template asks for a value that is not there
 */
export function filledTemplate(name: string, values: ReadonlyMap<string, string>): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8').replaceAll(
    PLACEHOLDER,
    (_, asked: string) => {
      const value = values.get(asked);
      if (value === undefined) throw new Error(`the template asks for ${asked}`);
      return value;
    },
  );
}
