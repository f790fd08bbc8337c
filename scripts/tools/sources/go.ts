import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
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
}

function isThereGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** @returns whether the tool is built */
export function buildWithGo(name: string, { module, binary = name, variables, tags }: GoSource): boolean {
  if (!isThereGo()) return false;
  // Of two tools with binaries of one name, neither may replace the other.
  const folder = path.join(FOLDER, name === binary ? '' : `${name}-build`);
  const flags = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
  const options = [
    '-ldflags',
    ['-s', '-w', ...flags].join(' '),
    ...(tags === undefined ? [] : ['-tags', tags]),
  ];
  process.stderr.write(`Building ${module}, which takes minutes the first time.\n`);
  const { status } = spawnSync('go', ['install', ...options, module], {
    // Outside the project, whose folder may lie in a Go module of its own.
    cwd: tmpdir(),
    env: { ...process.env, GOBIN: folder },
    stdio: 'inherit',
  });
  if (status === 0 && name !== binary) renameSync(path.join(folder, binary), path.join(FOLDER, name));
  return status === 0;
}
