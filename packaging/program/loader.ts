import type { Script } from 'node:vm';

// An `import` would have Node load what any export of the module may need.
const vm = process.getBuiltinModule('node:vm');
const path = process.getBuiltinModule('node:path');

/** Reads a file of the program; undefined if there is none. */
export type ReadFile = (name: string) => Buffer | undefined;

/** What a part of the program is as a script: a function that fills its exports. */
type Part = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  folder: string,
) => void;

/** The extension of what V8 compiled ahead for this processor, after that of the part. */
export const COMPILED = `.${process.arch}.compiled`;

/**
 * Loads the parts of the bundled program, each when it is first required, together with what V8 compiled of it when the
 * program was built. V8 itself refuses what another version, another processor or other flags compiled; the part is then
 * compiled here, as if there were nothing.
 */
export class Loader {
  readonly #read: ReadFile;
  readonly #folder: string;
  readonly #loaded = new Map<string, { exports: object }>();
  /** What is loaded, by name. */
  readonly scripts = new Map<string, Script>();

  /** @param folder what stack traces show before the name of a part */
  constructor(read: ReadFile, folder: string) {
    this.#read = read;
    this.#folder = folder;
  }

  /** The exports of a part, such as `./start.cjs`, or of a module of Node. */
  readonly require = (name: string): unknown => {
    if (!name.startsWith('./')) return process.getBuiltinModule(name) ?? fail(name);
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(name, module);
    this.#compile(name.slice(2))(module.exports, this.require, module, this.#folder);
    return module.exports;
  };

  #compile(file: string): Part {
    // The bundle is ASCII, so this takes a byte a character in memory.
    const source = this.#read(file)?.toString('latin1') ?? fail(file);
    const cachedData = this.#read(file + COMPILED);
    const script = new vm.Script(source, {
      filename: path.join(this.#folder, file),
      ...(cachedData && { cachedData }),
    });
    this.scripts.set(file, script);
    const part: Part = script.runInThisContext();
    return part;
  }
}

function fail(name: string): never {
  throw new Error(`${name} is not a part of the program`);
}
