import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';
import * as z from 'zod';
import { temporaryFolder } from './folder.ts';
import { dataOf, theOnly, type Container, type Manifest, type PodSpec } from './manifest.ts';
import { PROGRAM } from '../../support/program.ts';

const configMap = z.object({
  name: z.string(),
  items: z.array(z.object({ key: z.string(), path: z.string() })).optional(),
});
type ConfigMapSource = z.output<typeof configMap>;

const volume = z.object({
  configMap: configMap.optional(),
  projected: z.object({ sources: z.array(z.object({ configMap: configMap.optional() })) }).optional(),
});

function configMapsIn(written: unknown): readonly ConfigMapSource[] {
  const { configMap: own, projected } = volume.parse(written);
  const sources = projected?.sources.map((source) => source.configMap) ?? [own];
  return sources.flatMap((source) => source ?? []);
}

/** The folders that a container sees, by their path in it. Only ConfigMaps are mounted. */
function mounts(
  container: Container,
  pod: PodSpec,
  manifests: readonly Manifest[],
): ReadonlyMap<string, string> {
  const entries = container.volumeMounts.map(({ name, mountPath }): [string, string] => {
    const folder = temporaryFolder();
    for (const { name: map, items } of configMapsIn(lodash.find(pod.volumes, { name }))) {
      const manifest = theOnly(manifests, 'ConfigMap', map);
      const all = Object.keys(z.record(z.string(), z.string()).parse(manifest['data']));
      for (const item of items ?? all.map((key) => ({ key, path: key })))
        writeFileSync(path.join(folder, item.path), dataOf(manifest, item.key));
    }
    return [mountPath, folder];
  });
  return new Map(entries);
}

interface Command {
  readonly line: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function withFolders(text: string, folders: ReadonlyMap<string, string>): string {
  return [...folders].reduce((result, [inside, outside]) => result.replaceAll(inside, outside), text);
}

/** A script with the program of this checkout in place of that of the image. */
function withProgram(text: string): string {
  return text.replace('/app/dist/main.js', PROGRAM);
}

/** The command of a container; where it has none, that of the image. */
function commandOf(container: Container, pod: PodSpec, manifests: readonly Manifest[]): Command {
  const folders = mounts(container, pod, manifests);
  const entrypoint = container.command.length > 0 ? container.command.slice(1) : [PROGRAM];
  const line = [...entrypoint, ...container.args].map((word) => withProgram(withFolders(word, folders)));
  return { line, env: Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value])) };
}

/** Packages of this checkout, which the image does not have, cannot be imported from here. */
const cwd = temporaryFolder();

interface Running {
  readonly child: ChildProcess;
  /** What it has written. Unread, a full pipe would block it. */
  readonly output: string[];
}

const running: Running[] = [];

/** Whether a process has ended, by itself or by a signal. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** What a process writes from now on. */
function outputOf(child: ChildProcess): string[] {
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => output.push(String(chunk)));
  return output;
}

/** Starts a container as a process of this machine: the same command, files and environment. */
export function startContainer(
  container: Container,
  pod: PodSpec,
  manifests: readonly Manifest[],
): ChildProcess {
  const { line, env } = commandOf(container, pod, manifests);
  const child = spawn(process.execPath, line, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push({ child, output: outputOf(child) });
  return child;
}

/** Stops a container as the kubelet does, and tells its exit code. */
export async function stopContainer(child: ChildProcess): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return child.exitCode;
}

/** Stops what still runs, without waiting until callers have gone elsewhere. */
export async function stopContainers(): Promise<void> {
  await Promise.all(running.splice(0).map(({ child }) => interrupt(child)));
}

async function interrupt(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}

/** Fails with the words of a container that has failed: nothing it was started for comes any more. */
function refuseFailed(): void {
  const failed = running.find(({ child }) => hasEnded(child) && child.exitCode !== 0);
  if (failed !== undefined) throw new Error(`A container has failed:\n${failed.output.join('')}`);
}

/** Waits until a container answers at a URL. */
export async function answering(url: string, tries = 100): Promise<void> {
  const answered = await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
  if (answered) return;
  refuseFailed();
  if (tries === 0) throw new Error(`Nothing answers at ${url}`);
  await wait(100);
  await answering(url, tries - 1);
}

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a container that comes to an end. In its environment, the Service is this machine. */
export function runContainer(
  container: Container,
  pod: PodSpec,
  manifests: readonly Manifest[],
): Promise<Outcome> {
  const { line, env } = commandOf(container, pod, manifests);
  return run(
    line,
    lodash.mapValues(env, (value) => value.replace(/\/\/[\w.-]+\.svc/, '//127.0.0.1')),
  );
}

/** Runs a command of the image's Node, whose first word is `node`. */
async function run(line: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const child = spawn(process.execPath, line, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = outputOf(child);
  await once(child, 'close');
  return { status: child.exitCode, output: output.join('') };
}

/** What `--check` of the service says of the configuration that a container mounts. */
export function checkConfiguration(
  container: Container,
  pod: PodSpec,
  manifests: readonly Manifest[],
): Outcome {
  const { line } = commandOf(container, pod, manifests);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...line, '--check'], { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** A folder with the given files. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
