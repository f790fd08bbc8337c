import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { builtCharts, helm } from './support/helm.ts';
import { valuesIn } from './support/matrix.ts';
import { folderWith } from './support/pod.ts';
import { describeChart } from './support/tools.ts';

const PAGES = ['docs/kubernetes.md', 'charts/authz-jsonmasking/README.md', 'charts/policy-agent/README.md'];

/** Values files begin with a line that says which chart they are for. */
const HEADING = /^ *# ([\w-]+\.yaml), for charts\/([\w-]+)(, without the sample)?$/m;

interface ValuesFile {
  readonly page: string;
  readonly name: string;
  readonly chart: string;
  readonly text: string;
  /** Whether it is given after the sample values. */
  readonly afterSample: boolean;
}

function valuesFilesOf(page: string): readonly ValuesFile[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^ *```yaml\n([^]*?)^ *```$/gm)];
  return blocks.flatMap(([, text = '']) => {
    const [, name, chart, alone] = HEADING.exec(text) ?? [];
    if (name === undefined || chart === undefined) return [];
    return [{ page, name, chart, text, afterSample: chart === 'authz-jsonmasking' && alone === undefined }];
  });
}

const FILES = PAGES.flatMap(valuesFilesOf);

describeChart('The documentation', () => {
  it('has values files for every way to install', () => {
    expect(new Set(FILES.map(({ chart }) => chart))).toEqual(
      new Set(['authz-jsonmasking', 'policy-agent', 'example-microservice']),
    );
    expect(new Set(FILES.map(({ name }) => name)).size).toBe(FILES.length);
  });

  it.each(FILES)('has values in $page that install: $name', ({ chart, name, text, afterSample }) => {
    const file = path.join(folderWith({ [name]: text }), name);
    const sample = afterSample ? ['--values', 'values.sample.yaml'] : [];
    const rendered = helm('template', 'my', path.join(builtCharts(), chart), ...sample, '--values', file);
    expect(rendered).toContain('kind: Deployment');
    expect(Object.keys(valuesIn(text))).not.toEqual([]);
  });

  it('names commands that are there', () => {
    const page = readFileSync('docs/kubernetes.md', 'utf8');
    const makefile = readFileSync('Makefile', 'utf8');
    for (const [, target = ''] of page.matchAll(/^make (\w+)$/gm)) expect(makefile).toContain(`\n${target}:`);
    for (const [, file = ''] of page.matchAll(/--values ([\w.-]+\.yaml)/g)) {
      expect(['values.sample.yaml', ...FILES.map(({ name }) => name)]).toContain(file);
    }
  });
});
