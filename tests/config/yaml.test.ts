import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import { readYaml } from '../../src/yaml/index.ts';
import { problemsIn, refusalOf } from './problems.ts';

const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';

const ALIAS = 'is a YAML alias, which is not allowed; put a value that begins with * in quotes';
const ANCHOR = 'is a YAML anchor, which is not allowed; put a value that begins with & in quotes';
const TAG = 'has a YAML tag (!), which is not allowed; put text in quotes and write other values plainly';
const NOT_A_MAP = 'The top level must be a map, that is lines of "key: value".';

describe('text that is not sound YAML', () => {
  test.each([
    [
      'a tab as indentation',
      'log:\n\tlevel: info',
      'line 2: The indentation has a tab. YAML is indented with spaces.',
    ],
    [
      'two values without a comma',
      'log: [a b] c',
      'line 1: The text is not expected here; put a value with special characters in quotes.',
    ],
    [
      'two values without a comma on a line that is indented',
      ' log: [a b] c',
      'line 1: The text is not expected here; put a value with special characters in quotes.',
    ],
    [
      'a reserved character',
      'maskString: @',
      'line 1: A value begins with a character that YAML reserves; put it in quotes.',
    ],
    [
      'two keys on a line',
      'port: maxBody: 4',
      'line 1: A line has a second "key: value"; put a value that holds ": " in quotes.',
    ],
    [
      'an unknown escape',
      'maskString: "\\q"',
      'line 1: A text in double quotes has an escape that is not known; write \\\\ for a backslash.',
    ],
    ['a second document', `${MINIMAL}---\n${MINIMAL}`, 'line 3: A second document begins; a file holds one.'],
    ['a list as a key', '? [a]\n: 1', 'line 1: A key is not a plain word.'],
    ['an alias as a key', '*a : 1', 'line 1: A key is not a plain word.'],
  ])('is refused with its line: %s', (_, text, problem) => {
    expect(problemsIn(text)).toContain(problem);
  });

  test('is never quoted', () => {
    expect(refusalOf('clientSecret: "hunter2\n} hunter2').message).not.toContain('hunter2');
  });

  test('is refused when it nests deeper than the stack', () => {
    const depth = 100_000;
    const tooDeep = 'line 1: The text nests too deeply.';
    expect(problemsIn(`port: ${'['.repeat(depth)}${']'.repeat(depth)}`)).toContain(tooDeep);
    expect(problemsIn(`port: { ${'a: b: '.repeat(depth)} }`)).toContain(tooDeep);
  });
});

describe('a line that is indented wrongly', () => {
  test.each([
    ['port: 5002\n pdpUrl: pdp:8080\nfilter: true\n', 2, 1],
    ['port: 5002\nlog:\n  level: info\n   format: text\n', 4, 3],
    ['log:\n  level: info\n    format:\n', 3, 2],
  ])('too deep is named by its own number: %j', (text, line, above) => {
    expect(problemsIn(text)).toEqual([
      `line ${line}: The line is indented deeper than line ${above}, which already has a value.`,
    ]);
  });

  test('too deep as the first one is named, not those after it', () => {
    expect(problemsIn('# comment\n port: 5002\npdpUrl: pdp:8080\nfilter: true\n')).toEqual([
      'line 2: The first line is indented, and lines after it are not.',
    ]);
  });

  test.each([
    ['log:\n  level: info\n format: text\n', 3],
    ['port: 5002\n# comment\n\n pdpUrl: pdp:8080\n', 4],
    ['log:\n  level: info\n # comment\n\n format: text\n', 5],
    ['routes:\n  - path: /a\n   pass: true\n', 3],
    ['routes:\n  - path: /a\n   pass: true\n    report: true\n', 3],
  ])('that matches none above is named by its own number: %j', (text, line) => {
    expect(problemsIn(text)).toEqual([`line ${line}: The indentation does not match the lines above.`]);
  });
});

const NO_COLON = 'The key has no colon and space after it; write "key: value".';

describe('a key without a colon, or without a space after it,', () => {
  test.each([
    ['port 20001\npolicyFile: p.yaml\n', [1]],
    ['port 20001\nfilter true\npolicyFile: p.yaml\n', [1, 2]],
    ['port 20001\n# comment\n\nfilter: true\n', [1]],
    ['policyFile:policies.yaml\nport: 1\n', [1]],
    ['port: 1\npolicyFile:policies.yaml\nfilter: true\n', [2]],
    ['port: 1\npolicyFile:policies.yaml\n', [2]],
    ['port: 1\nfilter true\nreport true\n', [2, 3]],
    ['log:\n  level info\n  format: text\n', [2]],
    ['log:\n  format: text\n  level info\nport: 1\n', [3]],
    ['log\n  level: info\nport: 1\n', [1]],
    ['log\n  level info\n  format: text\n', [1]],
    ['routes:\n  - path /a\n    pass: true\n', [2]],
  ])('is named by its own line: %j', (text, lines) => {
    expect(problemsIn(text)).toEqual(lines.map((line) => `line ${line}: ${NO_COLON}`));
  });
});

describe('what is not closed is named by the line that opens it:', () => {
  test.each([
    ['port: 1\nlog: {level: info\nfilter: true\n', 'line 2: The { is not closed; } is missing.'],
    ['port: 1\nlog:\n  { level: info\n', 'line 3: The { is not closed; } is missing.'],
    ['routes: [a, b\nfilter: true\nport: 1\n', 'line 1: The [ is not closed; ] is missing.'],
    ['routes: [\n  [a\nport: 1\n', 'line 2: The [ is not closed; ] is missing.'],
    ['log: [a}]\nport: 1\n', 'line 1: The [ is not closed; ] is missing.'],
    ['{ port: 1', 'line 1: The { is not closed; } is missing.'],
    ['port: 1\nmaskString: "abc\nfilter: true\n', 'line 2: The text in quotes is not closed; " is missing.'],
    ["port: 1\nmaskString: 'abc\nfilter: 'x'\n", "line 2: The text in quotes is not closed; ' is missing."],
    ['port: 1\nroutes: [{ path: "/a }]\n', 'line 2: The text in quotes is not closed; " is missing.'],
  ])('%j', (text, problem) => {
    expect(problemsIn(text)).toEqual([problem]);
  });

  test('each bracket by itself', () => {
    expect(problemsIn('a:\n  {b:\n  [c\nd: 1\n')).toEqual([
      'line 2: The { is not closed; } is missing.',
      'line 3: The [ is not closed; ] is missing.',
    ]);
  });

  test('thousands of them, at a bounded cost', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `a${index}: [1`);
    expect(problemsIn(lines.join('\n')).slice(0, 2)).toEqual([
      'line 1: The [ is not closed; ] is missing.',
      'line 2: The [ is not closed; ] is missing.',
    ]);
  });

  test.each([
    ['routes: [\n  a\n  b: c\n]\n', 3],
    ['routes: [\n  [d],\n  a\n  b: c\n]\n', 4],
  ])('a comma that is missing in a list is no indentation: %j', (text, line) => {
    expect(problemsIn(text)).toEqual([
      `line ${line}: A comma or a closing bracket is missing before this line.`,
    ]);
  });
});

describe('a value that begins with #', () => {
  test.each([
    'rootWord: [#.number]\nfilter: true\n',
    'rootWord: [a, #.number]\nfilter: true\n',
    'rootWord: { a: #.number }\nfilter: true\n',
  ])('is a comment, which is said of its line alone: %j', (text) => {
    expect(problemsIn(text)).toEqual([
      'line 1: # begins a comment here; put a value that begins with # in quotes.',
    ]);
  });
});

describe('the top level', () => {
  test.each(['- port: 5002', 'port', '[]', '!config\nport: 5002'])('of %j is refused', (text) => {
    expect(refusalOf(text).problems).toMatchObject([{ key: '', message: NOT_A_MAP }]);
  });

  test.each(['', '# nothing yet\n', '---\n', '~'])('of %j has no keys', (text) => {
    expect(problemsIn(text)).toContain('port is required and must be an integer from 0 to 65535');
  });
});

describe('an anchor', () => {
  test('is refused, as it would take the first word from a text', () => {
    expect(problemsIn(`${MINIMAL}maskString: &xy\n`)).toEqual([`line 3: maskString ${ANCHOR}`]);
    expect(problemsIn(`${MINIMAL}&a maskString: x\n`)).toEqual([`line 3: maskString ${ANCHOR}`]);
    expect(problemsIn(`${MINIMAL}maskString: &Co Sons\n`)).toEqual([`line 3: maskString ${ANCHOR}`]);
    expect(problemsIn(`--- &all\n${MINIMAL}`)).toEqual([`line 2: the file ${ANCHOR}`]);
    expect(problemsIn(`${MINIMAL}log: &log\n  level: info\n`)).toEqual([`line 4: log ${ANCHOR}`]);
  });

  test('is not seen in quotes and within words', () => {
    for (const written of ['"&xy"', 'x&y'])
      expect(() =>
        parseConfiguration(`${MINIMAL}maskString: ${written}\n`, { file: 'config.yaml' }),
      ).not.toThrow();
  });
});

describe('an alias', () => {
  test('is refused as a value, so a mask string of asterisks needs quotes', () => {
    expect(problemsIn(`${MINIMAL}maskString: ***\n`)).toEqual([`line 3: maskString ${ALIAS}`]);
    expect(problemsIn(`${MINIMAL}maskString: *\n`)).toEqual([`line 3: maskString ${ALIAS}`]);
  });

  test('is refused within lists and maps', () => {
    const text = `${MINIMAL}log: &log\n  level: *log\n`;
    expect(problemsIn(text)).toEqual([`line 4: log ${ANCHOR}`, `line 4: log.level ${ALIAS}`]);
  });

  test('bomb is refused without being expanded', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      const references = Array.from({ length: 10 }, () => `*a${level}`).join(', ');
      return `a${level + 1}: &a${level + 1} [${references}]`;
    });
    const problems = problemsIn(`${MINIMAL}a0: &a0 x\n${levels.join('\n')}\n`);
    expect(problems).toContain(`line 4: a1.0 ${ALIAS}`);
    expect(problems).toHaveLength(100 + 1);
    expect(problems.at(-1)).toBe(`and ${41 + 41 + 400 - 100} more`);
  });
});

describe('a tag', () => {
  test.each(['!secret x', '!!str x', '!!binary aGk=', '!!int x', '!!js/function x', '! x'])(
    'is refused, known or not: %s',
    (value) => {
      expect(problemsIn(`${MINIMAL}maskString: ${value}\n`)).toEqual([`line 3: maskString ${TAG}`]);
    },
  );

  test('is refused on a key', () => {
    expect(problemsIn(`${MINIMAL}!!str maskString: x\n`)).toEqual([`line 3: maskString ${TAG}`]);
  });

  test('is refused on a group', () => {
    expect(problemsIn(`${MINIMAL}log: !!map { level: info }\n`)).toEqual([`line 3: log ${TAG}`]);
  });
});

describe('a key that occurs twice', () => {
  test('is refused with both lines', () => {
    expect(problemsIn(`${MINIMAL}port: 5003\n`)).toEqual([
      'line 3: port is given twice; the first is on line 1',
    ]);
  });

  test('is refused within a group', () => {
    expect(problemsIn(`${MINIMAL}log:\n  level: info\n  level: info\n`)).toEqual([
      'line 5: log.level is given twice; the first is on line 4',
    ]);
  });
});

test('a merge key is a key like any other, and unknown', () => {
  expect(problemsIn(`${MINIMAL}<<: { filter: true }\n`)).toEqual(['line 3: << is not a known key']);
});

test('a quoted number is a string', () => {
  expect(parseConfiguration(`${MINIMAL}attrName: "1.10"\n`, { file: 'config.yaml' }).attrName).toBe('1.10');
});

describe('a number', () => {
  test.each(['9007199254740993', '-9007199254740993', '1e400', '-1e400'])(
    'is refused if it would lose digits: %s',
    (written) => {
      expect(problemsIn(`${MINIMAL}maxBody: ${written}\n`)).toEqual([
        'line 3: maxBody is a number that would lose digits; put it in quotes',
      ]);
    },
  );

  test('is refused as any other wrong one if it is infinite', () => {
    expect(problemsIn(`${MINIMAL}maxBody: .inf\n`)).toEqual([
      expect.stringMatching(/^line 3: maxBody must be /u),
    ]);
  });
});

test.each(['00123', '08', '-007', '0x1F', '0o17', '00.5', '+49301234567', '+0.5'])(
  '%s is text, as it is written',
  (text) => {
    expect(readYaml(`vendor: { entityId: ${text} }`).values).toEqual({ vendor: { entityId: text } });
    expect(problemsIn(`${MINIMAL}maxBody: ${text}`)).not.toEqual([]);
  },
);

test.each(['0', '-0', '0.5', '0e1'])('%s is a number', (text) => {
  expect(readYaml(`a: ${text}`).values).toEqual({ a: Number(text) });
});

test('an element of a list is named with its own line', () => {
  expect(problemsIn(`${MINIMAL}routes:\n  - { path: /a, pass: true }\n  - 5\n`)).toContainEqual(
    expect.stringMatching(/^line 5: routes\.1 /u),
  );
});

describe('a key without a space after its colon', () => {
  test.each(['{ clientSecret:hunter2 }', '{ clientSecret:hunter2: 1 }', '{ "a": 1, clientSecret:hunter2 }'])(
    'is reported, and what follows the colon is not quoted: %s',
    (group) => {
      const problems = problemsIn(`${MINIMAL}log: ${group}\n`);
      expect(problems).toContain(
        'line 3: log.clientSecret… has no space after its colon; put a name that has a colon in quotes',
      );
      expect(problems.join('\n')).not.toContain('hunter2');
    },
  );

  test.each(['clientSecret:hunter2', 'clientSecret:hunter2: x', '"a', '- clientSecret:hunter2'])(
    'is not quoted at the top level either: %s',
    (line) => {
      expect(problemsIn(`${MINIMAL}${line}\n`).join('\n')).not.toContain('hunter2');
      expect(problemsIn(`${line}\n`).join('\n')).not.toContain('hunter2');
    },
  );
});
