import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { run } from './run.ts';

/** The processors that there is a package for. */
export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

const CACHE = path.resolve('build/cache');
/** The text that `npm ci` leaves out: it is the same for every processor. */
export const NODE_LICENSE = 'packaging/standalone/node-license.txt';

const pinnedNode = z.object({
  version: z.string(),
  integrity: z.record(z.enum(ARCHITECTURES), z.string()),
});
const { version: VERSION, integrity: INTEGRITY } = pinnedNode.parse(
  JSON.parse(readFileSync('packaging/standalone/node.json', 'utf8')),
);

/** The pinned Node that builds, and that is in the package for this processor. */
export const OWN_NODE = path.resolve('node_modules/node/bin/node');

/** The pinned Node for a processor: the project's own, or one that the registry has, verified by its checksum. */
export function nodeBinary(architecture: Architecture): string {
  verifyOwnVersion();
  return architecture === process.arch ? OWN_NODE : fetchedBinary(architecture);
}

function verifyOwnVersion(): void {
  const own = run(OWN_NODE, ['--version']).toString().trim();
  if (own !== `v${VERSION}`)
    throw new Error(`Node is ${own}; packaging/standalone/node.json pins v${VERSION}`);
}

function fetchedBinary(architecture: Architecture): string {
  const name = `node-linux-${architecture}`;
  const folder = path.join(CACHE, `${name}-${VERSION}`);
  const binary = path.join(folder, 'package/bin/node');
  if (!existsSync(binary)) unpack(fetch(name, INTEGRITY[architecture]), folder);
  verifyLicense(path.join(folder, 'package/LICENSE'));
  return binary;
}

function fetch(name: string, integrity: string): string {
  mkdirSync(CACHE, { recursive: true });
  run('npm', ['pack', '--loglevel=error', `--pack-destination=${CACHE}`, `${name}@${VERSION}`]);
  const archive = path.join(CACHE, `${name}-${VERSION}.tgz`);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found === integrity) return archive;
  rmSync(archive);
  throw new Error(
    `${name}@${VERSION} is not the file that packaging/standalone/node.json pins: it is ${found}`,
  );
}

function unpack(archive: string, folder: string): void {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial);
  run('tar', ['-xzf', archive, '-C', partial]);
  run('mv', [partial, folder]);
  rmSync(archive);
}

function verifyLicense(file: string): void {
  if (readFileSync(file).equals(readFileSync(NODE_LICENSE))) return;
  throw new Error(`${NODE_LICENSE} is not the licence of Node ${VERSION}; copy that one there`);
}
