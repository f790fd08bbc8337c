import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, test } from '@jest/globals';
import {
  directDependencies,
  productionAndBundled,
  productionPackages,
} from '../../scripts/licenses/locked-packages.ts';
import { bom, PROJECT } from '../../scripts/release/sbom.ts';

const CONTENTS = {
  subject: PROJECT,
  packages: productionPackages(),
  direct: directDependencies(),
  others: [],
};

interface Bom {
  readonly components: readonly { readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('A bill of materials', () => {
  const text = bom(CONTENTS);
  const { components, dependencies }: Bom = JSON.parse(text);

  test('is valid CycloneDX 1.6', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
  });

  test('lists every package that ships, with its address and checksum', () => {
    expect(components).toHaveLength(productionPackages().length);
    expect(components).toContainEqual({
      type: 'library',
      'bom-ref': 'node_modules/express',
      name: 'express',
      version: expect.any(String),
      purl: expect.stringMatching(/^pkg:npm\/express@\d/u),
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/u) }],
    });
  });

  test('says what requires what, from the project on', () => {
    expect(dependencies[0]?.ref).toBe(PROJECT.purl);
    expect(dependencies[0]?.dependsOn).toContain('node_modules/express');
    const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(productionPackages().filter(({ folder }) => !reached.has(folder))).toEqual([]);
  });

  test('lists what the page of the playground is made of, which only development depends on', () => {
    const bundled = ['node_modules/preact', 'node_modules/@codemirror/state'];
    const direct = directDependencies(bundled);
    const written = bom({ ...CONTENTS, packages: productionAndBundled(bundled), direct });
    const { components: all, dependencies: graph }: Bom = JSON.parse(written);
    expect(all).toHaveLength(productionPackages().length + 2);
    expect(graph[0]?.dependsOn).toEqual(expect.arrayContaining(bundled));
  });

  test('is the same for the same contents', () => {
    expect(bom(CONTENTS)).toBe(text);
  });
});
