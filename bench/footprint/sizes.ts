import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { VERSION } from '../../src/version.ts';
import type { Footprint } from '../report/results.ts';

type Size = Footprint['sizes'][number];

/** How large what is delivered is, as far as it has been built. */
export function deliveredSizes(): Size[] {
  return [...packageSizes(), ...imageSize()];
}

function packageSizes(): Size[] {
  const archive = `build/authz-jsonmasking-${VERSION}-linux-x64.tar.gz`;
  if (!existsSync(archive)) return [];
  const { stdout } = spawnSync('tar', ['-tvzf', archive], { encoding: 'utf8' });
  const line = stdout.split('\n').find((one) => one.endsWith('/authz-jsonmasking')) ?? '';
  const executable = Number(/\s(?<bytes>\d{6,})\s/u.exec(line)?.groups?.['bytes'] ?? NaN);
  const packed = statSync(archive).size;
  return [
    { name: 'executable, Linux x64', bytes: executable },
    { name: 'package, Linux x64', bytes: packed },
  ];
}

function imageSize(): Size[] {
  const args = ['image', 'inspect', '--format', '{{.Size}}', `authz-jsonmasking:${VERSION}`];
  for (const builder of ['docker', 'podman']) {
    const { status, stdout } = spawnSync(builder, args, { encoding: 'utf8' });
    if (status === 0) return [{ name: 'container image', bytes: Number(stdout) }];
  }
  return [];
}
