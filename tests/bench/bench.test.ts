import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { plotsOf } from '../../bench/report/plots/plots.ts';
import { page as performancePage } from '../../bench/report/page.ts';
import { readResults } from '../../bench/report/results-file.ts';
import { PARTS } from '../../bench/report/results.ts';
import { sizingPage } from '../../bench/report/sizing.ts';

const FOLDER = 'build/bench';
const MINUTES = 60_000;

describe('a quick run of the benchmark', () => {
  let run: ReturnType<typeof spawnSync>;

  beforeAll(() => {
    run = spawnSync(process.execPath, ['bench/run.ts', '--quick'], { encoding: 'utf8' });
  }, 5 * MINUTES);

  test('succeeds only if all contestants answer alike', () => {
    expect([run.status, run.status === 0 ? '' : run.stderr]).toEqual([0, '']);
  });

  test('measures every part', () => {
    expect(Object.keys(readResults(FOLDER))).toEqual(PARTS);
  });

  test('writes a page that shows every plot', () => {
    const page = readFileSync(`${FOLDER}/performance.md`, 'utf8');
    const shown = [...page.matchAll(/\]\((?<plot>performance\/[a-z]+\.svg)\)/gu)].map(
      ([, plot = '']) => plot,
    );
    expect(shown).toHaveLength(5);
    expect(shown.filter((plot) => !existsSync(path.join(FOLDER, plot)))).toEqual([]);
  });
});

/** A page without what formatting changes: spaces, and the dashes of tables. */
function unformatted(text: string): string {
  return text.replaceAll(/[\s-]+/gu, ' ').trim();
}

test.each([
  ['performance.md', performancePage],
  ['sizing.md', sizingPage],
])('%s is that of the numbers of the documentation', (file, write) => {
  const page = readFileSync(`docs/${file}`, 'utf8');
  expect(unformatted(page)).toBe(unformatted(write(readResults('docs'))));
});

test('the plots of the documentation are those of its numbers', () => {
  for (const [name, svg] of plotsOf(readResults('docs')))
    expect(readFileSync(`docs/performance/${name}`, 'utf8')).toBe(svg);
});
