import { describe, expect, it } from '@jest/globals';
import { validityOf } from '../../../../src/pdp/decisions/resolution/validity.ts';

const validity = (text: string): number => validityOf(Buffer.from(text));

describe('how long a decision is valid', () => {
  it.each([
    ['{"tokenValidity":300,"response":[]}', 300],
    ['{"response":[],"tokenValidity":0.5}', 0.5],
    ['{"data":{"tokenValidity":60,"response":[]}}', 60],
    [String.raw`{"token\u0056alidity":300}`, 300],
    ['{"tokenValidity":1e400}', Infinity],
  ])('is read in seconds from %s', (text, seconds) => {
    expect(validity(text)).toBe(seconds);
  });

  it.each([
    ['{"tokenValidity":300,"tokenValidity":20}'],
    ['{"tokenValidity":20,"tokenValidity":300}'],
    ['{"tokenValidity":300,"data":{"tokenValidity":20}}'],
    ['{"tokenValidity":20,"data":{"tokenValidity":300}}'],
  ])('is the shortest of several in %s', (text) => {
    expect(validity(text)).toBe(20);
  });

  it.each([
    ['{"response":[]}'],
    ['{"tokenValidity":0}'],
    ['{"tokenValidity":-300}'],
    ['{"tokenValidity":"300"}'],
    ['{"tokenValidity":null}'],
    ['{"tokenValidity":[300]}'],
    ['{"tokenValidity":true,"data":{"tokenValidity":300}}'],
    ['{"response":[{"tokenValidity":300}]}'],
    ['{"data":{"data":{"tokenValidity":300}}}'],
    ['{"data":[{"tokenValidity":300}]}'],
    ['{"tokenvalidity":300}'],
    ['[{"tokenValidity":300}]'],
    ['300'],
    [''],
    ['{"tokenValidity":300'],
    [`{"tokenValidity":300,"a":${'['.repeat(2000)}${']'.repeat(2000)}}`],
  ])('is nothing in %s', (text) => {
    expect(validity(text)).toBe(0);
  });

  it('is read from a part of a buffer', () => {
    const buffer = Buffer.from('{"tokenValidity":7}{"tokenValidity":8}');
    expect(validityOf(new Uint8Array(buffer.buffer, buffer.byteOffset + 19, 19))).toBe(8);
  });
});
