import { afterEach, describe, expect, test } from '@jest/globals';
import { isAllowed } from '../../scripts/licenses/allowed.ts';
import { lockedPackages, packagesIn, productionPackages } from '../../scripts/licenses/locked-packages.ts';
import { thirdPartyLicenses } from '../../scripts/licenses/third-party.ts';
import { bundleAll } from '../../scripts/program/bundle-all.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';

afterEach(closeAll);

describe('What ships', () => {
  test('has a licence that may ship, package by package', () => {
    const packages = productionPackages();
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter(({ license }) => !isAllowed(license ?? '')).map(({ name }) => name)).toEqual([]);
  });

  test.each(['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', '(GPL-2.0 OR (MIT AND Apache-2.0))'])(
    'may have %s',
    (license) => {
      expect(isAllowed(license)).toBe(true);
    },
  );

  test.each(['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', '', 'SEE LICENSE IN LICENSE'])(
    'may not have %j',
    (license) => {
      expect(isAllowed(license)).toBe(false);
    },
  );

  test('is what the lockfile says that production needs, found as Node finds it', () => {
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2', '@c/d': '1' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { '@c/d': '1' } },
      'node_modules/b': { version: '1.0.0', dev: true },
      'node_modules/@c/d': { version: '1.0.0', license: 'MIT' },
    };
    const found = lockedPackages(JSON.stringify({ packages }), ({ isProduction }) => isProduction);
    expect(found.map(({ name, version, requires }) => [name, version, requires])).toEqual([
      ['a', '1.0.0', ['node_modules/a/node_modules/b', 'node_modules/@c/d']],
      ['b', '2.0.0', ['node_modules/@c/d']],
      ['@c/d', '1.0.0', []],
    ]);
  });

  test('is a bundle of packages whose licences may ship, those of the page of the playground among them', async () => {
    const { packages } = await bundleAll(await folderWith({}));
    expect(packages).toEqual(expect.arrayContaining(['node_modules/preact', 'node_modules/axios']));
    expect(packagesIn(packages).map(({ folder }) => folder)).toEqual(packages);
    expect(thirdPartyLicenses(packages)).toContain('preact');
  });

  test('is never a package whose licence may not ship', async () => {
    const folder = await folderWith({
      'package.json': '{"name":"a","version":"1.0.0","license":"GPL-3.0"}',
    });
    expect(() => thirdPartyLicenses([folder])).toThrow(
      'a 1.0.0 has the licence GPL-3.0, which may not ship.',
    );
  });
});
