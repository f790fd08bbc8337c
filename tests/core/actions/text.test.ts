import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { parseAction } from '../../../src/core/actions/registry.ts';

const KEYS = new Map([['k', { current: createSecretKey(Buffer.alloc(32)) }]]);

/** Whether a text is an action, a literal, or neither. */
function kindOf(text: string): string {
  const read = parseAction(text, KEYS);
  if (read === undefined) return 'literal';
  return 'problem' in read ? 'neither' : 'action';
}

describe('the text of an action', () => {
  test.each([
    'MASK',
    ' filter ',
    'last',
    'LAST4',
    'last (4)',
    'last(, x)',
    'Remove( )',
    'value(")")',
    'hash(k)',
  ])('%j is an action', (text) => {
    expect(kindOf(text)).toBe('action');
  });

  test.each([
    'masked',
    'last seen',
    'hash',
    'remove',
    'null',
    'email',
    'email (work)',
    'round 5',
    'removed()',
    'last4x',
    'last 4',
    '1::edges 2',
    'x::last 4',
    'a::b',
    'std::vector',
    '::',
    'x::masked',
    '',
  ])('%j is a literal', (text) => {
    expect(kindOf(text)).toBe('literal');
  });

  test.each([
    'last(4',
    'last(-1)',
    'last(4,)',
    'last(4, ab)',
    'last (4,)',
    'first(1)x',
    'last4(',
    'last4()',
    'edges2 (2)',
    'x::last4(',
    'x::MASK',
    '-1::MASK',
    '1::2::last4',
    ':: filter',
    'x::remove()',
    'x::last(4',
    'MASK()',
    'filter(1)',
    'remove(1)',
    'remove(',
    'null(null)',
    'empty(1)',
    'value()',
    'value(x)',
    'value({"a":1,"a":2})',
    'value([{"a":{"b":1,"\\u0062":2}}])',
    'value(01)',
    `value(${'['.repeat(65)}${']'.repeat(65)})`,
    'value("\ud800")',
    'email(name)',
    'card(4)',
    'shape(x)',
    'year(1)',
    'month(1)',
    'round()',
    'round(0)',
    'round(0.00)',
    'round(-5)',
    'round(05)',
    'round(1e999)',
    'bucket()',
    'bucket(18,)',
    'bucket(18;65)',
    'bucket(1,x)',
    'hash()',
    'hash(other)',
    'hash(__proto__)',
  ])('%j is neither', (text) => {
    expect(kindOf(text)).toBe('neither');
  });

  test.each([
    ['::'.repeat(500_000), 'literal'],
    [`x::last${' '.repeat(500_000)}x`, 'literal'],
    [`last(${' '.repeat(500_000)}x`, 'neither'],
    [`last(4,${'x'.repeat(500_000)})`, 'neither'],
    [`email(${' '.repeat(500_000)}x`, 'neither'],
  ])('of a million characters is read at a bounded cost', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});
