import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { stringify } from 'yaml';
import { bundleProgram } from '../../scripts/program/bundle.ts';
import { eventually } from '../support/eventually.ts';

/** Notes what a process loads, when it ends. */
const WATCHER = `
const fs = require('node:fs');
const parts = [];
const { readFileSync } = fs;
fs.readFileSync = (file, ...others) => {
  if (String(file).endsWith('.cjs')) parts.push(require('node:path').basename(file));
  return readFileSync(file, ...others);
};
process.on('exit', () => {
  const modules = process.moduleLoadList.flatMap((one) => /^NativeModule ((?!internal)[a-z][a-z0-9_/]*)$/u.exec(one)?.[1] ?? []);
  fs.writeFileSync(process.env.LOADED, JSON.stringify({ parts, modules }));
});
`;

/** What a process loaded. */
export interface Loaded {
  /** The packages that code was taken from, sorted. */
  readonly packages: readonly string[];
  /** The folders of the sources, such as \`src/places/proxy\`. */
  readonly folders: ReadonlySet<string>;
  /** The modules of Node. */
  readonly modules: readonly string[];
}

const PACKAGE = /^(?:.*\/)?node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/u;

/** The bundled program in a folder for itself, with a way to see what it loads. */
export class WatchedProgram {
  readonly folder: string;
  readonly #outputs: Metafile['outputs'];

  private constructor(folder: string, metafiles: readonly Metafile[]) {
    this.folder = folder;
    this.#outputs = Object.assign({}, ...metafiles.map(({ outputs }) => outputs));
  }

  static async create(): Promise<WatchedProgram> {
    const folder = await mkdtemp(path.join(tmpdir(), 'authz-jsonmasking-'));
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(path.join(folder, 'watcher.cjs'), WATCHER);
    return new WatchedProgram(folder, await bundleProgram(folder));
  }

  /** Runs a command to its end. */
  async run(...args: readonly string[]): Promise<Loaded> {
    await promisify(execFile)(process.execPath, this.#arguments(args), { env: this.#environment() });
    return this.#loaded();
  }

  /** Starts the service, and stops it once it listens. */
  async serve(configuration: object): Promise<Loaded> {
    const config = await this.write('config.yaml', stringify({ port: 0, drainDelay: 0, ...configuration }));
    const args = this.#arguments(['-c', config]);
    const child = spawn(process.execPath, args, {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let log = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
    const ended = once(child, 'exit');
    await Promise.race([eventually(() => log.includes('"message":"Listening"')), ended]);
    child.kill('SIGTERM');
    await ended;
    if (child.exitCode !== 0) throw new Error(`the service ends with ${child.exitCode}: ${log}`);
    return this.#loaded();
  }

  /** @returns the path of the file */
  async write(name: string, text: string): Promise<string> {
    const file = path.join(this.folder, name);
    await writeFile(file, text);
    return file;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  #arguments(args: readonly string[]): string[] {
    return ['--require', path.join(this.folder, 'watcher.cjs'), path.join(this.folder, 'main.js'), ...args];
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...process.env, LOADED: path.join(this.folder, 'loaded.json') };
  }

  async #loaded(): Promise<Loaded> {
    const written: { parts: string[]; modules: string[] } = JSON.parse(
      await readFile(path.join(this.folder, 'loaded.json'), 'utf8'),
    );
    const outputs = Object.entries(this.#outputs).filter(([file]) =>
      written.parts.includes(path.basename(file)),
    );
    const inputs = outputs.flatMap(([, output]) => Object.entries(output.inputs));
    const files = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
    const packages = files.flatMap((file) => PACKAGE.exec(file)?.groups?.['name'] ?? []);
    return {
      packages: [...new Set(packages)].toSorted(),
      folders: new Set(files.filter((file) => file.startsWith('src/')).map((file) => path.dirname(file))),
      modules: written.modules,
    };
  }
}
