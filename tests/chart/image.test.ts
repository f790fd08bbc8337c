import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../src/version.ts';
import { folderWith } from './support/pod.ts';

const DEFAULT_NAME = `docker.io/library/authz-jsonmasking:${VERSION}`;

/** A builder that only writes down how it was called. */
const RECORDER = '#!/bin/sh\necho "$@" >>"${0%/*}/calls"\n';

/** What a builder was called with when it was the only one on the machine, a call a line. */
function callsOf(builder: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const folder = folderWith({ [builder]: RECORDER, calls: '' });
  chmodSync(path.join(folder, builder), 0o755);
  symlinkSync('/bin/sh', path.join(folder, 'sh'));
  execFileSync(process.execPath, ['scripts/image.ts'], { env: { PATH: folder, ...env }, stdio: 'pipe' });
  return readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n').slice(1);
}

describe('make image', () => {
  it.each(['docker', 'podman', 'buildah'])('names the image as Kubernetes does, with %s', (builder) => {
    const [build] = callsOf(builder);
    expect(build).toMatch(/^build /);
    expect(build).toContain(`--tag ${DEFAULT_NAME} .`);
  });

  it('leaves no network of buildah on the machine', () => {
    expect(callsOf('buildah')[0]).toContain('--network host');
  });

  it.each([
    ['docker', `save --output image.tar ${DEFAULT_NAME}`],
    ['podman', `save --format docker-archive --output image.tar ${DEFAULT_NAME}`],
    ['buildah', `push ${DEFAULT_NAME} docker-archive:image.tar:${DEFAULT_NAME}`],
  ])('writes the image to a file with %s', (builder, call) => {
    expect(callsOf(builder, { ARCHIVE: 'image.tar' })[1]).toBe(call);
  });

  it.each([
    ['team/masking', 'docker.io/team/masking'],
    ['registry.example.com/masking', 'registry.example.com/masking'],
    ['localhost:5000/masking', 'localhost:5000/masking'],
    ['localhost/masking', 'localhost/masking'],
  ])('completes the name %s to %s', (IMAGE, name) => {
    expect(callsOf('podman', { IMAGE })[0]).toContain(`--tag ${name}:${VERSION} .`);
  });
});
