import { spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FOLDER } from './folder.ts';

/** A module that the Go toolchain builds. */
export interface GoSource {
  readonly module: string;
  /** The name of the binary that Go builds, if it is not that of the tool. */
  readonly binary?: string;
  /** What the tool's own build sets: its version, and the Kubernetes that it takes for granted. */
  readonly variables: Readonly<Record<string, string>>;
  /** Build tags, such as one that leaves out what the project does not use. */
  readonly tags?: string;
  /** Whether `go install` refuses the module for its `replace` directives, so that another module has to require it. */
  readonly hasReplacements?: boolean;
}

function isThereGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

function go(cwd: string, environment: NodeJS.ProcessEnv, args: readonly string[]): boolean {
  const env = { ...process.env, ...environment };
  return spawnSync('go', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/** Installs from a module that requires nothing but the tool. */
function installRequired(module: string, options: readonly string[], bin: string): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'go-tool-'));
  const environment = { GOFLAGS: '-mod=mod', GOBIN: bin };
  const [program = ''] = module.split('@');
  const commands = [
    ['mod', 'init', 'tool'],
    ['get', module],
    ['install', ...options, program],
  ];
  const isBuilt = commands.every((command) => go(folder, environment, command));
  rmSync(folder, { recursive: true });
  return isBuilt;
}

/** @returns whether the tool is built */
export function buildWithGo(name: string, source: GoSource): boolean {
  if (!isThereGo()) return false;
  const { module, binary = name, variables, tags, hasReplacements } = source;
  // Of two tools with binaries of one name, neither may replace the other.
  const folder = path.join(FOLDER, name === binary ? '' : `${name}-build`);
  const flags = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
  const options = [
    '-ldflags',
    ['-s', '-w', ...flags].join(' '),
    ...(tags === undefined ? [] : ['-tags', tags]),
  ];
  process.stderr.write(`Building ${module}, which takes minutes the first time.\n`);
  // Outside the project, whose folder may lie in a Go module of its own.
  const isBuilt = hasReplacements
    ? installRequired(module, options, folder)
    : go(tmpdir(), { GOBIN: folder }, ['install', ...options, module]);
  if (isBuilt && name !== binary) renameSync(path.join(folder, binary), path.join(FOLDER, name));
  return isBuilt;
}
