import { expect, test } from '@jest/globals';
import { configurationError } from '../../src/yaml/index.ts';

const MISSING = { key: 'port', message: 'is required' };
const FIRST = { line: 1, key: 'a', message: 'is wrong' };
const LAST = { line: 9, key: 'b', message: 'is wrong' };

test.each([[[MISSING, LAST, FIRST]], [[LAST, MISSING, FIRST]], [[LAST, FIRST, MISSING]]])(
  'problems have the order of their lines, with what is missing behind them',
  (found) => {
    expect(configurationError('config.yaml', found).message).toBe(
      'config.yaml: 3 problems\n  line 1: a is wrong\n  line 9: b is wrong\n  port is required',
    );
  },
);
