import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PROJECT, REPOSITORY } from '../../scripts/project.ts';
import { releaseProblems, type Candidate } from '../../scripts/release/problems.ts';

const READY: Candidate = {
  tag: 'v1.2.3',
  repository: 'Bank/masking',
  version: '1.2.3',
  ownRepository: 'bank/masking',
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-21\n\n### Added\n\n- Something.\n',
};

describe('A release', () => {
  test('is ready if tag, version, changelog and repository agree', () => {
    expect(releaseProblems(READY)).toEqual([]);
  });

  test.each<[string, Partial<Candidate>, RegExp]>([
    ['another tag', { tag: 'v1.2.4' }, /^The tag is v1\.2\.4;.*v1\.2\.3\.$/u],
    ['no tag', { tag: '' }, /^The tag is missing;/u],
    [
      'no section in the changelog',
      { changelog: '## [Unreleased]\n' },
      /no section \[1\.2\.3\] with a date/u,
    ],
    ['a section without a date', { changelog: '## [Unreleased]\n\n## [1.2.3]\n' }, /no section \[1\.2\.3\]/u],
    [
      'changes that are not released',
      { changelog: READY.changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- Later.\n') },
      /under Unreleased/u,
    ],
    ['another repository', { repository: 'fork/masking' }, /bank\/masking, and fork\/masking publishes/u],
  ])('is refused with %s', (_, part, problem) => {
    expect(releaseProblems({ ...READY, ...part })).toEqual([expect.stringMatching(problem)]);
  });

  test('of this version has its changes in the changelog, and waits for nothing but a date and an owner', () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const tag = `v${PROJECT.version}`;
    const candidate = {
      tag,
      repository: REPOSITORY,
      version: PROJECT.version,
      ownRepository: REPOSITORY,
      changelog,
    };
    const expected = [expect.stringMatching(/with a date|under Unreleased/u)];
    for (const problem of releaseProblems(candidate)) expect([problem]).toEqual(expected);
  });
});
