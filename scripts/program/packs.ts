import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** What the program does most often, and the sources that each of these loads on demand. */
const USES: Readonly<Record<string, readonly string[]>> = {
  start: ['src/process/index.ts'],
  check: ['src/process/check.ts', 'src/compose/check-files.ts'],
  enforce: ['src/process/enforce.ts', 'src/compose/in-process.ts', 'src/pdp/protocols/embedded/index.ts'],
  log: ['src/telemetry/log/writing.ts'],
  serve: [
    'src/process/serve.ts',
    'src/compose/app.ts',
    'src/pdp/remote.ts',
    'src/pdp/protocols/resolution/index.ts',
  ],
};

type Output = Metafile['outputs'][string];

/** A part of the program as a module: what one `import()` loads, or what several of them share. */
export interface Part {
  /** The file, such as `start.cjs`. */
  readonly name: string;
  /** Imports other parts by `./` and their names. */
  readonly text: string;
  readonly output: Output;
}

/** Parts by their names. */
export type Parts = ReadonlyMap<string, Part>;

/**
 * Joins the parts that the same uses need: to load a part takes as long as to run some hundred lines. A part that is loaded by
 * its name stays, as a name for what is now in a joined one.
 */
export async function joinParts(parts: Parts): Promise<readonly Part[]> {
  const joinedName = namesOfJoined(parts);
  const groups = Map.groupBy(parts.values(), ({ name }) => joinedName(name));
  const joined = Array.from(groups, ([name, members]) => join(name, members, { parts, joinedName }));
  const names = [...parts.values()].filter(
    ({ name, output }) => output.entryPoint !== undefined && joinedName(name) !== name,
  );
  return [...(await Promise.all(joined)), ...names.map((part) => nameFor(part, joinedName(part.name)))];
}

/** In which joined part a part is. */
function namesOfJoined(parts: Parts): (name: string) => string {
  const uses = Object.entries(USES).map(([use, sources]) => ({ use, needed: neededBy(sources, parts) }));
  return (name) => {
    const users = uses.filter(({ needed }) => needed.has(name)).map(({ use }) => use);
    if (users.length === 0) return name;
    // What starts the program is there for everything else.
    return users.includes('start') ? 'start.cjs' : `for-${users.join('-')}.cjs`;
  };
}

/** The parts that sources load, and what these import. */
function neededBy(sources: readonly string[], parts: Parts): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const imported of importsOf(partAt(name, parts))) add(imported);
  };
  for (const source of sources) add(partOf(source, parts));
  return needed;
}

function partOf(source: string, parts: Parts): string {
  const part = [...parts.values()].find(({ output }) => output.entryPoint === source);
  return part?.name ?? fail(`${source} is not loaded on demand`);
}

function partAt(name: string, parts: Parts): Part {
  return parts.get(name) ?? fail(`${name} is not a part`);
}

function importsOf({ output }: Part): readonly string[] {
  return output.imports
    .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
    .map(({ path: file }) => path.basename(file));
}

interface Whole {
  readonly parts: Parts;
  readonly joinedName: (name: string) => string;
}

async function join(name: string, members: readonly Part[], whole: Whole): Promise<Part> {
  const exported = members.map((member) =>
    member.output.exports.map((one) => `${one} as ${nameIn(name, member, one)}`),
  );
  const contents = members.map(
    (member, index) => `export { ${exported[index]?.join(', ')} } from './${member.name}';`,
  );
  const { outputFiles } = await build({
    stdin: { contents: contents.join('\n'), resolveDir: '/' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    supported: { 'dynamic-import': true },
    legalComments: 'none',
    plugins: [others(name, whole)],
  });
  return { name, text: outputFiles[0]?.text ?? '', output: combined(members) };
}

/** A part that is joined with others has its name before that of what it exports. */
function nameIn(joined: string, { name }: Part, exported: string): string {
  return joined === name ? exported : `${path.parse(name).name.replaceAll('-', '_')}_${exported}`;
}

/** Finds the members of a joined part, and has it import what is in other ones from there. */
function others(name: string, { parts, joinedName }: Whole): Plugin {
  return {
    name: 'others',
    setup(hooks) {
      hooks.onResolve({ filter: /^\.\/.*\.cjs$/ }, ({ path: file, kind, namespace }) => {
        if (kind === 'dynamic-import' || namespace === 'elsewhere') return { path: file, external: true };
        const part = path.basename(file);
        return { path: part, namespace: joinedName(part) === name ? 'member' : 'elsewhere' };
      });
      hooks.onLoad({ filter: /./, namespace: 'member' }, ({ path: file }) => ({
        contents: partAt(file, parts).text,
      }));
      hooks.onLoad({ filter: /./, namespace: 'elsewhere' }, ({ path: file }) => ({
        contents: nameFor(partAt(file, parts), joinedName(file)).text,
      }));
    },
  };
}

/** What a part exports, from the joined part that it is in. */
function nameFor(part: Part, joined: string): Part {
  const names = part.output.exports.map((one) => `${nameIn(joined, part, one)} as ${one}`);
  const text = `export { ${names.join(', ')} } from './${joined}';`;
  return { ...part, text, output: { ...part.output, inputs: {} } };
}

function combined(members: readonly Part[]): Output {
  const outputs = members.map(({ output }) => output);
  return {
    bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    inputs: Object.assign({}, ...outputs.map(({ inputs }) => inputs)),
    imports: [],
    exports: [],
  };
}

function fail(reason: string): never {
  throw new Error(reason);
}
