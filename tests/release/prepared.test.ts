import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { datedChangelog, withVersion } from '../../scripts/release/prepared.ts';
import { releaseProblems } from '../../scripts/release/problems.ts';
import { VERSION } from '../../src/version.ts';

describe('Preparing a release', () => {
  test('dates the changes, so that nothing keeps the release from being published', () => {
    const changelog = datedChangelog(
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n',
      '1.2.3',
      '2026-11-21',
    );
    expect(changelog).toContain('## [Unreleased]\n\n## [1.2.3] - 2026-11-21\n\n### Added\n\n- A.\n');
    const candidate = { tag: 'v1.2.3', version: '1.2.3', repository: 'a/b', ownRepository: 'a/b', changelog };
    expect(releaseProblems(candidate)).toEqual([]);
    expect(() => datedChangelog(changelog, '1.2.3', '2026-11-22')).toThrow('has a section [1.2.3]');
  });

  test.each(['package.json', 'package-lock.json'])(
    'writes the version into %s, and nowhere else in it',
    (file) => {
      const before = readFileSync(file, 'utf8');
      const after = withVersion(before, '98.7.6');
      const changed = after.split('\n').filter((line, index) => line !== before.split('\n')[index]);
      expect(changed.map((line) => line.trim())).toEqual(
        Array.from({ length: file === 'package.json' ? 1 : 2 }, () => '"version": "98.7.6",'),
      );
      expect(withVersion(after, VERSION)).toBe(before);
    },
  );
});
