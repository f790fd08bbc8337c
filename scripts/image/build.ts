import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { VERSION } from '../../src/version.ts';
import { findEngine, succeeds } from './engine.ts';

type Arguments = readonly string[];

/** What the environment may set, see the Dockerfile. */
const BASES = ['BUILD_IMAGE', 'RUNTIME_IMAGE'] as const;

const pushed = z.object({ 'containerimage.digest': z.string() });

/** The images that the Dockerfile begins with: those of the environment, or its own. */
export function baseImages(): readonly string[] {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  return BASES.map(
    (name) => process.env[name] ?? new RegExp(`^ARG ${name}=(\\S+)$`, 'mu').exec(dockerfile)?.[1] ?? '',
  );
}

/** Why the image cannot be built here; undefined if it can. */
export function obstacle(): string | undefined {
  const engine = findEngine();
  if (engine === undefined) return 'none of docker, podman and buildah works here';
  const absent = baseImages().find((image) => !succeeds(engine.name, engine.pull(image)));
  return absent === undefined ? undefined : `${engine.name} cannot pull ${absent}`;
}

/**
 * Builds the image, and writes it to a file if one is given.
 *
 * @throws Error if there is no engine, or it fails
 */
export function buildImage(archive?: string): void {
  const engine = findEngine();
  if (engine === undefined) {
    throw new Error('None of docker, podman and buildah works here. Install one of them to build the image.');
  }
  const image = imageName();
  say(`${engine.name} builds ${image} from the Dockerfile, on ${baseImages().join(' and ')}.`);
  execute(engine.name, [...engine.build(sourceTime()), ...buildArguments(), '--tag', image, '.']);
  say(`Built ${image} with ${engine.name}.`);
  if (archive === undefined) return;
  // Buildah does not write over a file.
  rmSync(archive, { force: true });
  execute(engine.name, engine.save(image, archive));
  say(`Wrote it to ${archive}.`);
}

/** The full name of the image. */
function imageName(): string {
  return `${completed(process.env['IMAGE'] ?? 'authz-jsonmasking').toLowerCase()}:${VERSION}`;
}

/**
 * Builds the image for several platforms with docker, and pushes it.
 *
 * @param platforms such as `linux/amd64,linux/arm64`
 * @returns the name of the image without its tag, and the digest that the registry has it under
 * @throws Error if docker fails
 */
export function pushImage(platforms: string): { readonly image: string; readonly digest: string } {
  const file = 'build/pushed-image.json';
  mkdirSync('build', { recursive: true });
  const how = ['--platform', platforms, '--provenance=mode=max', '--push', '--metadata-file', file];
  say(`docker builds ${imageName()} for ${platforms}, and pushes it.`);
  execute('docker', ['buildx', 'build', ...how, ...buildArguments(), '--tag', imageName(), '.']);
  const { 'containerimage.digest': digest } = pushed.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { image: imageName().slice(0, -`:${VERSION}`.length), digest };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function execute(command: string, args: Arguments): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} failed; see what it printed.`);
}

function git(...args: Arguments): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** When the sources were last changed, in seconds since 1970. */
function sourceTime(): string | undefined {
  return process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct');
}

function buildArguments(): Arguments {
  const bases = BASES.map((name) => [name, process.env[name]] as const);
  const values = [
    ['VERSION', VERSION],
    ['REVISION', git('rev-parse', 'HEAD') ?? 'unknown'],
    ...bases,
  ] as const;
  const given = values.filter(([, value]) => value !== undefined);
  return given.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
}

/**
 * The name that Kubernetes understands under a short one, such as the chart's default. Docker completes short names in the
 * same way; podman and buildah would put `localhost/` in front.
 */
function completed(name: string): string {
  const [registry = '', ...path] = name.split('/');
  if (path.length === 0) return `docker.io/library/${name}`;
  return /[.:]|^localhost$/u.test(registry) ? name : `docker.io/${name}`;
}
