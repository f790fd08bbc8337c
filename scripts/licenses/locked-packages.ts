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
  devDependencies: z.record(z.string(), z.string()).default({}),
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
  return lockedPackages(readFileSync('package-lock.json', 'utf8'), ({ isProduction }) => isProduction);
}

/**
 * The packages that production needs, and those that code was taken from: the page of the playground has code of packages that
 * nothing else needs at run time.
 *
 * @param bundled the folders of the latter
 */
export function productionAndBundled(bundled: readonly string[]): readonly LockedPackage[] {
  return lockedPackages(
    readFileSync('package-lock.json', 'utf8'),
    ({ isProduction, folder }) => isProduction || bundled.includes(folder),
  );
}

/** The packages in some folders, in the order of the lockfile. */
export function packagesIn(folders: readonly string[]): readonly LockedPackage[] {
  return lockedPackages(readFileSync('package-lock.json', 'utf8'), ({ folder }) => folders.includes(folder));
}

/**
 * @param text a lockfile of npm, version 3
 * @param isWanted which of its packages are wanted
 */
export function lockedPackages(
  text: string,
  isWanted: (one: { readonly folder: string; readonly isProduction: boolean }) => boolean,
): readonly LockedPackage[] {
  const { packages } = lockfile.parse(JSON.parse(text));
  const wanted = Object.entries(packages).filter(
    ([folder, { dev }]) => folder !== '' && isWanted({ folder, isProduction: dev !== true }),
  );
  return wanted.map(([folder, { version = '', license, integrity, ...others }]) => ({
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

/**
 * The folders of what the project itself requires.
 *
 * @param bundled of its development dependencies, those in these folders
 */
export function directDependencies(bundled: readonly string[] = []): readonly string[] {
  const { packages } = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const { dependencies = {}, devDependencies = {} } = packages[''] ?? {};
  const [always, others] = [dependencies, devDependencies].map((names) =>
    Object.keys(names).map((name) => `node_modules/${name}`),
  );
  return [...(always ?? []), ...(others ?? []).filter((folder) => bundled.includes(folder))];
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
