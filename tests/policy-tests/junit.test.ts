import { expect, test } from '@jest/globals';
import { junitXml, type FileResults } from '../../src/policy-tests/junit.ts';

/** The results of a file with one test that passed and one that failed. */
function resultsOf(file: string, name: string, seconds: readonly [number, number]): FileResults {
  const written = { file, line: 3, name, user: undefined, vendor: '{}', parameters: '{}' };
  const passed = { ...written, payload: '{}', expected: { payload: '{}' } };
  return {
    file,
    results: [
      { test: passed, seconds: seconds[0], failure: undefined, explanation: undefined },
      { test: passed, seconds: seconds[1], failure: { summary: name }, explanation: undefined },
    ],
  };
}

test('JUnit XML has the times of each test, of each file and of all, in seconds', () => {
  const files = [resultsOf('a.yaml', 'n', [0.25, 1.5]), resultsOf('b.yaml', 'n', [2, 0.0004])];
  const xml = junitXml(files, () => []);
  expect(Array.from(xml.matchAll(/<(\w+) [^>]*time="([^"]*)"/gu), ([, tag, time]) => [tag, time])).toEqual([
    ['testsuites', '3.750'],
    ['testsuite', '1.750'],
    ['testcase', '0.250'],
    ['testcase', '1.500'],
    ['testsuite', '2.000'],
    ['testcase', '2.000'],
    ['testcase', '0.000'],
  ]);
});

test('JUnit XML has any name, escaped or in other characters', () => {
  const xml = junitXml([resultsOf('a&b.yaml', '<"&amp;"\uFFFE>', [0, 0])], () => ['1 < 2', '\uFFFF']);
  expect(xml).toContain('<testsuite name="a&amp;b.yaml" tests="2" failures="1" errors="0" ');
  expect(xml).toContain('<testcase name="&lt;&quot;&amp;amp;&quot;\uFFFD&gt;" classname="a&amp;b.yaml" ');
  expect(xml).toContain('>1 &lt; 2\n\uFFFD</failure>');
});
