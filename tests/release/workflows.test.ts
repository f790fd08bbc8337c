import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod';

const FILES = globSync('.github/workflows/*.yml').toSorted();

const job = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  'timeout-minutes': z.number(),
  steps: z.array(z.looseObject({ run: z.string().optional(), uses: z.string().optional() })),
});
const workflow = z.looseObject({ permissions: z.unknown(), jobs: z.record(z.string(), job) });

const targets = new Set(
  [...readFileSync('Makefile', 'utf8').matchAll(/^([a-z-]+):/gmu)].map(([, name]) => name),
);

test('there are workflows for changes, releases, analysis and the supply chain', () => {
  expect(FILES.map((file) => file.split('/').at(-1))).toEqual([
    'ci.yml',
    'codeql.yml',
    'release.yml',
    'scorecard.yml',
  ]);
});

describe.each(FILES)('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  const { permissions, jobs } = workflow.parse(parse(text));
  const steps = Object.values(jobs).flatMap((one) => one.steps);

  test('pins every action by the digest of a release that it names', () => {
    const uses = [...text.matchAll(/uses: (.*)$/gmu)].map(([, used]) => used);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((used) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(used ?? ''))).toEqual([]);
  });

  test('grants a job what it says that it needs, and no more', () => {
    expect(permissions).toEqual({});
  });

  test('calls no script, but only targets of make that exist', () => {
    const commands = steps.flatMap(({ run }) => run ?? []).join('\n');
    expect(commands).not.toMatch(/\bscripts\/|\bnode |\bnpx |\.sh\b/u);
    const called = [...commands.matchAll(/\bmake ([a-z-]+)/gu)].map(([, name]) => name);
    expect(called.filter((name) => !targets.has(name))).toEqual([]);
  });
});

test('every place that names an action has the same version of it', () => {
  const text = FILES.map((file) => readFileSync(file, 'utf8')).join('\n');
  const uses = [...text.matchAll(/uses: ([^@]+)@(.*)$/gmu)];
  const versions = new Map(uses.map(([, action, version]) => [action, version]));
  expect(uses.filter(([, action, version]) => versions.get(action) !== version)).toEqual([]);
});
