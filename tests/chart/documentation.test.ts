import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { kindsOf } from './support/manifest.ts';
import { valuesIn } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';
import { renderFile, VALUES_FILES } from './support/values-files.ts';

describeChart('The documentation', () => {
  it('has values files for every way to install', () => {
    expect(new Set(VALUES_FILES.map(({ chart }) => chart))).toEqual(
      new Set(['authz-jsonmasking', 'policy-agent', 'example-microservice']),
    );
    expect(new Set(VALUES_FILES.map(({ name }) => name)).size).toBe(VALUES_FILES.length);
  });

  it.each(VALUES_FILES)('has values in $page that install: $name', (file) => {
    expect(kindsOf(renderFile(file))).toContain('Deployment');
    expect(Object.keys(valuesIn(file.text))).not.toEqual([]);
  });

  it('names commands that are there', () => {
    const page = readFileSync('docs/kubernetes.md', 'utf8');
    const makefile = readFileSync('Makefile', 'utf8');
    const targets = Array.from(page.matchAll(/^make (\w+)/gm), ([, target = '']) => target);
    const files = Array.from(page.matchAll(/--values ([\w.-]+\.yaml)/g), ([, file = '']) => file);
    expect(targets).not.toEqual([]);
    expect(files).not.toEqual([]);
    for (const target of targets) expect(makefile).toContain(`\n${target}:`);
    for (const file of files)
      expect(['values.sample.yaml', ...VALUES_FILES.map(({ name }) => name)]).toContain(file);
  });
});
