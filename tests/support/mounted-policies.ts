import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopLater } from '../pdp/transport/setup.ts';

/** A policy file as a ConfigMap mounts it: a link into a folder that is exchanged as a whole. */
interface MountedPolicies {
  readonly file: string;
  /** Exchanges the text, as the kubelet does. */
  readonly replace: (text: string) => Promise<void>;
}

/** Mounts a policy file in a folder that `closeAll` removes. */
export async function mountedPolicies(text: string, key = 'policies.yaml'): Promise<MountedPolicies> {
  const folder = await mkdtemp(path.join(tmpdir(), 'policies-'));
  stopLater(() => rm(folder, { recursive: true }));
  const at = (...names: readonly string[]): string => path.join(folder, ...names);
  let version = 0;
  const replace = async (next: string): Promise<void> => {
    const name = `..version-${++version}`;
    await mkdir(at(name));
    await writeFile(at(name, key), next);
    await symlink(name, at('..data_tmp'));
    await rename(at('..data_tmp'), at('..data'));
  };
  await replace(text);
  await symlink(path.join('..data', key), at(key));
  return { file: at(key), replace };
}
