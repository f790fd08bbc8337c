import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

const names = z.record(z.string(), z.string()).default({});
const lockedPackage = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
});
const lockfile = z.object({ packages: z.record(z.string(), lockedPackage) });

const { packages } = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
const installed = Object.entries(packages).filter(([folder]) => folder !== '');

/** Where npm looks for a dependency of the package in a folder: there, then in each folder above it. */
function placesOf(folder: string, dependency: string): readonly string[] {
  const parents = folder.split(/(?:^|\/)node_modules\//u).slice(1);
  return Array.from(
    { length: parents.length + 1 },
    (_, depth) =>
      parents
        .slice(0, depth)
        .map((name) => `node_modules/${name}/`)
        .join('') + `node_modules/${dependency}`,
  );
}

/** The dependencies without an entry, as `package: dependency`; those of other platforms are entries too. */
function missing(): readonly string[] {
  return Object.entries(packages).flatMap(([folder, { dependencies, devDependencies, ...rest }]) => {
    const wanted = [
      ...Object.keys(dependencies),
      ...(folder === '' ? Object.keys(devDependencies) : []),
      ...Object.keys(rest.optionalDependencies),
    ];
    const absent = wanted.filter((name) => placesOf(folder, name).every((place) => !packages[place]));
    return absent.map((name) => `${folder}: ${name}`);
  });
}

describe('package-lock.json', () => {
  test('has an entry for every dependency on every platform, so that npm ci works everywhere', () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(missing()).toEqual([]);
  });

  test.each([
    '@swc/core-linux-x64-gnu',
    '@swc/core-linux-arm64-gnu',
    '@swc/core-darwin-arm64',
    '@oxlint/binding-linux-x64-gnu',
    '@oxlint/binding-linux-arm64-gnu',
    '@oxlint/binding-darwin-arm64',
  ])('has %s', (name) => {
    expect(packages).toHaveProperty([`node_modules/${name}`]);
  });

  test('pins every package by its checksum', () => {
    const unpinned = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unpinned.map(([folder]) => folder)).toEqual([]);
  });

  test('names no registry, so that npm asks the one that the machine is configured for', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
