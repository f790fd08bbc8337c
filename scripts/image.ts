/**
 * Builds the container image with whichever of docker, podman and buildah works here: `node scripts/image.ts`. The
 * environment may set IMAGE (the name; its tag is the version), ARCHIVE (a file to write the image to, for `kind load
 * image-archive`), BUILD_IMAGE and RUNTIME_IMAGE (see Dockerfile).
 */
import { spawnSync } from 'node:child_process';
import { VERSION } from '../src/version.ts';

type Arguments = readonly string[];

interface Builder {
  readonly name: string;
  /** Succeeds only if it can build: a docker client may have no daemon. */
  readonly probe: Arguments;
  readonly build: Arguments;
  /** Writes an image to a file. */
  readonly save: (image: string, file: string) => Arguments;
}

const BUILDERS: readonly Builder[] = [
  {
    name: 'docker',
    probe: ['info'],
    build: ['build'],
    save: (image, file) => ['save', '--output', file, image],
  },
  {
    name: 'podman',
    probe: ['info'],
    build: ['build', '--format', 'docker'],
    save: (image, file) => ['save', '--format', 'docker-archive', '--output', file, image],
  },
  {
    name: 'buildah',
    probe: ['info'],
    // In the network of the machine: a network of its own would leave a bridge and rules of the firewall there.
    build: ['build', '--format', 'docker', '--network', 'host'],
    save: (image, file) => ['push', image, `docker-archive:${file}:${image}`],
  },
];

function succeeds(command: string, args: Arguments): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function run(command: string, args: Arguments): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function revision(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

function buildArguments(): Arguments {
  const { BUILD_IMAGE, RUNTIME_IMAGE } = process.env;
  const values = { VERSION, REVISION: revision(), BUILD_IMAGE, RUNTIME_IMAGE };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
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

const builder = BUILDERS.find(({ name, probe }) => succeeds(name, probe));
if (builder === undefined) {
  process.stderr.write(
    'None of docker, podman and buildah works here. Install one of them to build the image.\n',
  );
  process.exit(1);
}
const image = `${completed(process.env['IMAGE'] ?? 'authz-jsonmasking')}:${VERSION}`;
run(builder.name, [...builder.build, ...buildArguments(), '--tag', image, '.']);
process.stdout.write(`Built ${image} with ${builder.name}.\n`);
const archive = process.env['ARCHIVE'];
if (archive !== undefined) {
  run(builder.name, builder.save(image, archive));
  process.stdout.write(`Wrote it to ${archive}.\n`);
}
