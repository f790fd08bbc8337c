import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './run.ts';

/** Packs a folder. The same files give the same bytes, whoever packs them and when. */
export function pack(folder: string, archive: string): void {
  const order = ['--format=ustar', '--sort=name', `--mtime=@${sourceDate()}`];
  // What is unpacked here before it is packed has the modes that this user's umask leaves.
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX,u+w,go-w'];
  const place = ['-C', path.dirname(folder), '-cf', '-', path.basename(folder)];
  // Not the machine's gzip, whose bytes depend on its version.
  writeFileSync(archive, gzipSync(run('tar', [...order, ...owner, ...place])));
}

/** When the sources were last changed, in seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). */
export function sourceDate(): string {
  return process.env['SOURCE_DATE_EPOCH'] ?? run('git', ['log', '-1', '--format=%ct']).toString().trim();
}
