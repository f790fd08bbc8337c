import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';
import * as z from 'zod';

const SOURCES = path.resolve('src') + path.sep;
/** The file of a folder that others may import. */
const DOOR = 'index.ts';
/** What a door declares, without what it passes on. */
const OWN = '?own';

/** An import of names, or their export from another file, as prettier writes them. */
const NAMES = /^(?<keyword>import|export) (?<type>type )?\{(?<names>[^}]*)\} from '(?<from>\.[^']*)';$/gmu;
const statementSchema = z.object({
  keyword: z.enum(['import', 'export']),
  type: z.string().optional(),
  names: z.string(),
  from: z.string(),
});

/** Where a name is declared, what it is called there, and what it is called here. */
interface Name {
  readonly file: string;
  readonly name: string;
  readonly as: string;
}

/**
 * Has sources import a name from the file that declares it, and not from the `index.ts` of the folder: otherwise, a part that
 * needs one name of a folder would load all that the folder offers.
 */
export const doors: Plugin = {
  name: 'doors',
  setup(build) {
    build.onResolve({ filter: /^\/.*\?own$/ }, ({ path: file }) => ({
      path: file.slice(0, -OWN.length),
      suffix: OWN,
    }));
    build.onLoad({ filter: /\.ts$/ }, ({ path: file, suffix }): OnLoadResult | undefined => {
      if (!file.startsWith(SOURCES)) return undefined;
      const isPassing = isDoor(file) && suffix !== OWN;
      return { contents: isPassing ? passedBy(file) : pastDoors(file), loader: 'ts' };
    });
  },
};

function isDoor(file: string): boolean {
  return path.basename(file) === DOOR;
}

/** A door for those who want all of it. */
function passedBy(file: string): string {
  const passed = namesIn(file, 'export').map((name) => statement('export', name));
  return [...passed, `export * from ${JSON.stringify(file + OWN)};`].join('\n');
}

/** A source that imports past doors. Of a door, what it declares itself. */
function pastDoors(file: string): string {
  const exported = isDoor(file) ? [] : namesIn(file, 'export');
  const names = {
    import: namesIn(file, 'import').map((name) => statement('import', name)),
    export: exported.map((name) => statement('export', name)),
  };
  const rest = readFileSync(file, 'utf8').replaceAll(NAMES, '');
  return [...names.import, ...names.export, rest].join('\n');
}

function statement(keyword: 'import' | 'export', { file, name, as }: Name): string {
  const declared = originOf(file, name);
  return `${keyword} { ${declared.name} as ${as} } from ${JSON.stringify(declared.file)};`;
}

function originOf(file: string, name: string): Pick<Name, 'file' | 'name'> {
  if (!isDoor(file)) return { file, name };
  const passed = namesIn(file, 'export').find(({ as }) => as === name);
  return passed === undefined ? { file: file + OWN, name } : originOf(passed.file, passed.name);
}

/** The names that a file imports, or exports from another file, without types. */
function namesIn(file: string, keyword: 'import' | 'export'): readonly Name[] {
  const text = readFileSync(file, 'utf8');
  const statements = Array.from(text.matchAll(NAMES), ({ groups }) => statementSchema.parse(groups));
  return statements
    .filter((one) => one.keyword === keyword && one.type === undefined)
    .flatMap(({ names, from }) =>
      names.split(',').flatMap((one) => nameFrom(one.trim(), path.resolve(path.dirname(file), from))),
    );
}

function nameFrom(written: string, file: string): readonly Name[] {
  if (written === '' || written.startsWith('type ')) return [];
  const [name = '', as = name] = written.split(' as ');
  return [{ file, name, as }];
}
