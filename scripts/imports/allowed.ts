import { readFileSync } from 'node:fs';

/** What a folder of `src/`, or a file directly in it, may import. */
export interface Allowed {
  /** Such as `core/`, `places/listener/` or `errors.ts`. */
  readonly place: string;
  /** Other places. */
  readonly imports: readonly string[];
}

const ROW = /^\| `src\/(?<place>[^`]+)` +\|(?<imports>[^|]*)\|/u;
const NAME = /`([^`]+)`/gu;

/** The allow-list: the table of folders in CONTRIBUTING.md. Its second column lists the imports of each folder. */
export function allowedImports(): readonly Allowed[] {
  const lines = readFileSync('CONTRIBUTING.md', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const row = ROW.exec(line)?.groups;
    if (!row) return [];
    const imports = Array.from((row['imports'] ?? '').matchAll(NAME), ([, name = '']) => name);
    return [{ place: row['place'] ?? '', imports }];
  });
}
