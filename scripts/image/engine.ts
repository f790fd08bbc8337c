import { spawnSync } from 'node:child_process';

type Arguments = readonly string[];

/** What builds container images. */
export interface Engine {
  readonly name: string;
  /** Succeeds only if it can build: a docker client may have no daemon. */
  readonly probe: Arguments;
  /** @param time the seconds since 1970 that files and the image are to have, if they are known */
  readonly build: (time: string | undefined) => Arguments;
  /** Writes an image to a file. */
  readonly save: (image: string, file: string) => Arguments;
  readonly pull: (image: string) => Arguments;
}

function timestamp(time: string | undefined): Arguments {
  return time === undefined ? [] : ['--timestamp', time];
}

const ENGINES: readonly Engine[] = [
  {
    name: 'docker',
    probe: ['info'],
    build: () => ['build'],
    save: (image, file) => ['save', '--output', file, image],
    pull: (image) => ['pull', image],
  },
  {
    name: 'podman',
    probe: ['info'],
    build: (time) => ['build', '--format', 'docker', ...timestamp(time)],
    save: (image, file) => ['save', '--format', 'docker-archive', '--output', file, image],
    pull: (image) => ['pull', '--policy', 'missing', image],
  },
  {
    name: 'buildah',
    probe: ['info'],
    // In the network of the machine: a network of its own would leave a bridge and rules of the firewall there.
    build: (time) => ['build', '--format', 'docker', '--network', 'host', ...timestamp(time)],
    save: (image, file) => ['push', image, `docker-archive:${file}:${image}`],
    pull: (image) => ['pull', '--policy', 'missing', image],
  },
];

export function succeeds(command: string, args: Arguments): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** The first of docker, podman and buildah that works here; undefined if none does. */
export function findEngine(): Engine | undefined {
  return ENGINES.find(({ name, probe }) => succeeds(name, probe));
}
