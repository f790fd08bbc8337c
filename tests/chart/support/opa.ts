import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import { neededTool } from '../../support/tools.ts';
import { podOf, theOnly, type Manifest } from './manifest.ts';
import { answering, folderWith } from './pod.ts';

const { describe, program } = neededTool('opa');

/** Describes tests that need Open Policy Agent. */
export const describeOpa = describe;

const configMapVolume = z.object({ configMap: z.object({ name: z.string() }) });
const texts = z.record(z.string(), z.string());

const running: ChildProcess[] = [];

/**
 * Starts OPA as the Deployment `my-pdp` of the agent says, and waits until it is ready.
 *
 * @param folders the volumes that are not in the manifests, by their paths in the container
 */
export async function startOpa(
  manifests: readonly Manifest[],
  port: number,
  folders: Readonly<Record<string, string>> = {},
): Promise<void> {
  const pod = podOf(theOnly(manifests, 'Deployment', 'my-pdp'));
  const mounts = pod?.containers[0]?.volumeMounts ?? [];
  const mounted = mounts
    .filter(({ mountPath }) => folders[mountPath] === undefined)
    .map(({ name, mountPath }): [string, string] => {
      const { configMap } = configMapVolume.parse(pod?.volumes.find((volume) => volume.name === name));
      const manifest = theOnly(manifests, 'ConfigMap', configMap.name);
      return [mountPath, folderWith(texts.parse(manifest['data']))];
    });
  const places = [...mounted, ...Object.entries(folders)];
  const line = (pod?.containers[0]?.args ?? []).map((word) => {
    const place = places.find(([inside]) => new RegExp(`(^|=)${inside}(/|$)`, 'u').test(word));
    return place === undefined ? word : word.replace(...place);
  });
  running.push(spawn(program, line, { stdio: 'ignore' }));
  await answering(`http://127.0.0.1:${port}/health?bundles`);
}

/** Ends every OPA that a test has started. */
export async function stopOpa(): Promise<void> {
  await Promise.all(
    running.splice(0).map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
}
