import { describe, expect, test } from '@jest/globals';
import { free, release, scan, type JsonDocument } from '../../../src/core/index.ts';

describe('Memory that is freed', () => {
  test('is that of large buffers, which have it to themselves', () => {
    const large = Buffer.alloc(65_536);
    free(large);
    expect(large).toHaveLength(0);
  });

  test('is never memory that small buffers share', () => {
    const shared = new ArrayBuffer(1_000_000);
    const small = Buffer.from(shared, 0, 1000);
    free(small);
    expect(small).toHaveLength(1000);
  });
});

function scanned(): JsonDocument {
  return scan(Buffer.from(JSON.stringify(Array.from({ length: 50_000 }, () => 'text'))), 1);
}

describe('The memory of a text that was masked', () => {
  test('is freed, with what was found in it', () => {
    const doc = scanned();
    release(doc, [Buffer.from('[]')]);
    expect([doc.bytes.length, doc.tape.length]).toEqual([0, 0]);
  });

  test('stays as long as a part of it is in the answer', () => {
    const doc = scanned();
    const part = doc.bytes.subarray(1, 7);
    release(doc, [Buffer.from('['), part, Buffer.from(']')]);
    expect(part.toString()).toBe('"text"');
    expect(doc.tape).toHaveLength(0);
  });
});
