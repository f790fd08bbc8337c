import { readFileSync } from 'node:fs';
import * as z from 'zod';

const entry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  link: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const lockfile = z.object({ packages: z.record(z.string(), entry) });

/** A package that the lockfile pins. */
export interface LockedPackage {
  /** Its folder, such as `node_modules/express`. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  /** In the form of Subresource Integrity. */
  readonly integrity: string | undefined;
  /** The folders of the packages that it requires. */
  readonly requires: readonly string[];
}

const NAME = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/** The packages that production needs, in the order of the lockfile; the project itself is not among them. */
export function productionPackages(): readonly LockedPackage[] {
  return lockedPackages(readFileSync('package-lock.json', 'utf8'));
}

/** @param text a lockfile of npm, version 3 */
export function lockedPackages(text: string): readonly LockedPackage[] {
  const { packages } = lockfile.parse(JSON.parse(text));
  const production = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);
  return production.map(([folder, { version = '', license, integrity, ...others }]) => ({
    folder,
    name: others.name ?? NAME.exec(folder)?.[1] ?? folder,
    version,
    license,
    integrity,
    requires: Object.keys({ ...others.dependencies, ...others.optionalDependencies })
      .map((name) => resolve(name, folder, packages))
      .filter((found) => found !== undefined),
  }));
}

/** The folders of what the project itself requires. */
export function directDependencies(): readonly string[] {
  const { packages } = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  return Object.keys(packages['']?.dependencies ?? {}).map((name) => `node_modules/${name}`);
}

/** Where Node finds a package from a folder: in the nearest `node_modules`, from the inside out. */
function resolve(
  name: string,
  from: string,
  packages: Readonly<Record<string, unknown>>,
): string | undefined {
  const parts = from === '' ? [] : from.split(/\/?node_modules\//u).slice(1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = [...parts.slice(0, depth), name].map((part) => `node_modules/${part}`).join('/');
    if (folder in packages) return folder;
  }
  return undefined;
}
