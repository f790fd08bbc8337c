import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { currentArchive, PACKAGE } from './archive.ts';

/** All that the scripts may use besides what a shell has built in. Node is not among it. */
const UTILITIES = ['cat', 'date', 'dirname', 'rm', 'sed', 'sh', 'sleep', 'tail', 'wc'];

/** What a run of the package leaves in its folder, which is removed between tests. */
const TRACES = [
  'config.yaml',
  'authz-jsonmasking.log',
  'authz-jsonmasking.log.1',
  'authz-jsonmasking.pid',
  'authz-jsonmasking.ready',
];

/** How a program ended. */
interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The archive, unpacked into an empty folder with a space in its name, on a machine without Node. */
export interface Installation {
  readonly folder: string;
  /** The environment of a machine that has only what the scripts need. */
  readonly env: Readonly<Record<string, string>>;
  /** The path of a file of the package. */
  file(name: string): string;
  read(name: string): Promise<string>;
  /** Writes `config.yaml`: any free port, and what is given. */
  configure(configuration: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs a script or the executable, by default through the shell that its first line names. */
  run(name: string, args?: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Runs the executable in the foreground. */
  spawn(args: readonly string[]): ChildProcessWithoutNullStreams;
  /** Stops what runs, and removes what it left. */
  reset(): Promise<void>;
  remove(): Promise<void>;
}

interface RunOptions {
  /** The shell, with its options. */
  readonly shell?: readonly string[];
  readonly cwd?: string;
}

/** Unpacks the current archive. */
export async function install(): Promise<Installation> {
  const base = await mkdtemp(path.join(tmpdir(), 'authz standalone '));
  await promisify(execFile)('tar', ['-xzf', path.resolve(await currentArchive()), '-C', base]);
  const folder = path.join(base, PACKAGE);
  const env = { PATH: await utilitiesIn(path.join(base, 'bin')) };
  const file = (name: string): string => path.join(folder, name);
  const run = async (
    name: string,
    args: readonly string[] = [],
    options: RunOptions = {},
  ): Promise<Outcome> => {
    const [program = '', ...rest] = [...(options.shell ?? []), file(name), ...args];
    return outcomeOf(program, rest, { env, cwd: options.cwd ?? base });
  };
  const children: ChildProcessWithoutNullStreams[] = [];
  return {
    folder,
    env,
    file,
    read: (name) => readFile(file(name), 'utf8'),
    configure: (configuration) =>
      writeFile(file('config.yaml'), stringify({ port: 0, drainDelay: 0, ...configuration })),
    run,
    spawn(args) {
      const child = spawn(file('authz-jsonmasking'), args, { env, cwd: folder });
      children.push(child);
      return child;
    },
    async reset() {
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await run('stop.sh', ['-t', '0']);
      await Promise.all(TRACES.map((trace) => rm(file(trace), { force: true, recursive: true })));
    },
    remove: () => rm(base, { recursive: true }),
  };
}

/** A folder to be the whole path. */
async function utilitiesIn(folder: string): Promise<string> {
  await mkdir(folder);
  await Promise.all(
    UTILITIES.map(async (name) => {
      const found = which(name);
      if (found === undefined) throw new Error(`this machine has no ${name}`);
      await symlink(found, path.join(folder, name));
    }),
  );
  return folder;
}

/** Where a program is on this machine; undefined where it has none. */
export function which(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => path.join(folder, name)).find(existsSync);
}

async function outcomeOf(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  execFile(program, [...args], options, (error, stdout, stderr) => {
    resolve({
      status: typeof error?.code === 'number' ? error.code : Number(error !== null),
      stdout,
      stderr,
    });
  });
  return promise;
}

/** The names in the folder of the package that were not in the archive. */
export async function tracesIn({ folder }: Installation): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith('authz-jsonmasking.') && !/\.(?:service|logrotate)$/.test(name))
    .toSorted();
}

/** The number in a line of what start.sh prints. */
export function portIn(started: string): number {
  return Number(/address\s+http:\/\/localhost:(\d+)\n/.exec(started)?.[1]);
}

export function pidIn(started: string): number {
  return Number(/process\s+(\d+)\n/.exec(started)?.[1]);
}

/** The entries of a log, one JSON object a line. */
export function entriesIn(log: string): readonly Readonly<Record<string, unknown>>[] {
  return log
    .split('\n')
    .filter(Boolean)
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
}

/** Whether a process runs; one that has ended and that nobody asked for its end does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
