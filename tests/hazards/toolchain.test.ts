import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import jestConfig from '../../jest.config.ts';

const versions = z.record(z.string(), z.string());
const { dependencies, devDependencies, scripts } = z
  .object({ dependencies: versions, devDependencies: versions, scripts: versions })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

describe('the tools of the project', () => {
  test('run on the Node that is pinned, whatever the machine has', () => {
    expect(process.version).toBe(`v${devDependencies['node']}`);
  });

  test('check types by the compiler itself and translate tests without it, because TypeScript 7 has no API', () => {
    expect(scripts['types']).toBe('tsc --noEmit && tsc -p playground');
    expect(Object.values(jestConfig.transform ?? {})).toEqual(['@swc/jest']);
    expect(Object.keys(devDependencies).filter((name) => /^ts-jest$|typescript-eslint/u.test(name))).toEqual(
      [],
    );
  });

  test('are pinned to one version each, like everything that the service is made of', () => {
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/u.test(version),
    );
    expect(loose).toEqual([]);
  });
});
