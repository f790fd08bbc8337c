import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ABSENT = /\.not\.to(?:Contain|Match)\(\s*(?:'(?<text>[^']*)'|\/(?<pattern>(?:[^/\\]|\\.)*)\/)/gu;

/** So few digits and letters that a time, a port or an identifier of a request has them now and then. */
const COMMON = /^[\d:a-f.-]{1,5}$/iu;

/** The texts that a test says are absent, and that may be there by chance. */
function chancesIn(source: string): readonly string[] {
  return [...source.matchAll(ABSENT)]
    .flatMap(({ groups }) => (groups?.['text'] ?? groups?.['pattern'] ?? '').split('|'))
    .filter((text) => COMMON.test(text));
}

describe('a text that a test says is absent', () => {
  test('cannot be there by chance, in a time or an identifier', () => {
    const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((file) => chancesIn(readFileSync(path.join('tests', file), 'utf8')));
    expect(found).toEqual([]);
  });

  test.each([
    ["toContain('101')", ['101']],
    ['toMatch(/planted|111|Ann/u)', ['111']],
    ["toContain('planted-111')", []],
  ])('is found in %s: %j', (call, chances) => {
    expect(chancesIn(`expect(log).not.${call};`)).toEqual(chances);
  });
});
