import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { VERSIONED_FILES } from '../../scripts/generate/chart/versions.ts';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import { parseConfiguration } from '../../src/config/load.ts';

const PAGE = path.join('docs', 'configuration.md');
const MASKS = path.join('docs', 'masks.md');
/** What generated files are made of besides code. */
const SOURCES = ['package.json', 'charts', ...VERSIONED_FILES.filter((file) => !file.startsWith('charts/'))];
const GENERATE = path.resolve('scripts', 'generate.ts');

interface Outcome {
  readonly succeeded: boolean;
  readonly stderr: string;
}

function generate(folder: string, ...options: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [GENERATE, ...options], { cwd: folder }, (error, _stdout, stderr) =>
      resolve({ succeeded: error === null, stderr }),
    );
  });
}

describe('docs/configuration.md', () => {
  test('has a row for every key, with its default', async () => {
    const rows = (await readFile(PAGE, 'utf8')).split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(CONFIGURATION_KEYS.length);
    for (const { key, default: value } of CONFIGURATION_KEYS) {
      const cells = rows.find((line) => line.startsWith(`| \`${key}\` `))?.split('|');
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      expect([`\`${shown}\``, 'none', '**required**']).toContain(cells?.[4]?.trim());
    }
  });

  test('has only examples that the service accepts', async () => {
    const page = await readFile(PAGE, 'utf8');
    const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? '');
    expect(examples).toHaveLength(4);
    const values = z.object({ config: z.unknown() });
    for (const example of examples) {
      const nested = values.safeParse(parse(example));
      const text = nested.data?.config === undefined ? example : stringify(nested.data.config);
      expect(parseConfiguration(text, { file: 'config.yaml' }).port).toBe(5002);
    }
  });
});

describe('scripts/generate.ts', () => {
  let folder = '';
  let written: Outcome | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'generate-'));
    await Promise.all(SOURCES.map((source) => cp(source, path.join(folder, source), { recursive: true })));
    written = await generate(folder);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('writes what its check accepts, and what is in the repository', async () => {
    expect(written).toEqual({ succeeded: true, stderr: '' });
    expect(await generate(folder, '--check')).toEqual({ succeeded: true, stderr: '' });
    expect(await readFile(path.join(folder, PAGE), 'utf8')).toBe(await readFile(PAGE, 'utf8'));
  });

  test('names files that are missing or have drifted, and leaves them as they are', async () => {
    const [drifted, missing] = [path.join(folder, PAGE), path.join(folder, MASKS)];
    await writeFile(drifted, '# Changed by hand\n');
    await rm(missing);
    const { succeeded, stderr } = await generate(folder, '--check');
    expect(succeeded).toBe(false);
    for (const page of [PAGE, MASKS])
      expect(stderr).toContain(`${page} is not as generated; run npm run docs\n`);
    expect(await readFile(drifted, 'utf8')).toBe('# Changed by hand\n');
    expect(existsSync(missing)).toBe(false);
  });
});
