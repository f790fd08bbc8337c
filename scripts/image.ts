/**
 * Builds the container image with whichever of docker, podman and buildah works here: `node scripts/image.ts`. The
 * environment may set IMAGE (the name; its tag is the version), BUILD_IMAGE and RUNTIME_IMAGE (see Dockerfile).
 */
import { spawnSync } from 'node:child_process';
import { VERSION } from '../src/version.ts';

/** Each with a command that only succeeds where it can build: a docker client may have no daemon. */
const BUILDERS = [
  { name: 'docker', probe: ['info'], build: ['build'] },
  { name: 'podman', probe: ['info'], build: ['build', '--format', 'docker'] },
  { name: 'buildah', probe: ['info'], build: ['build', '--format', 'docker'] },
] as const;

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function revision(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

function buildArguments(): readonly string[] {
  const { BUILD_IMAGE, RUNTIME_IMAGE } = process.env;
  const values = { VERSION, REVISION: revision(), BUILD_IMAGE, RUNTIME_IMAGE };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
}

const builder = BUILDERS.find(({ name, probe }) => succeeds(name, probe));
if (builder === undefined) {
  process.stderr.write(
    'None of docker, podman and buildah works here; one of them has to build the image.\n',
  );
  process.exit(1);
}
const tag = `${process.env['IMAGE'] ?? 'authz-jsonmasking'}:${VERSION}`;
const { status } = spawnSync(builder.name, [...builder.build, ...buildArguments(), '--tag', tag, '.'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
process.stdout.write(`Built ${tag} with ${builder.name}.\n`);
