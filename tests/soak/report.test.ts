import { describe, expect, test } from '@jest/globals';
import { findings, soakReport, type Soak } from '../../scripts/soak/report.ts';
import type { Measurement } from '../faults/instructions.ts';

const MEGABYTE = 1024 * 1024;

function measurements(...heaps: readonly number[]): readonly Measurement[] {
  return heaps.map((heap) => ({ heapUsed: heap * MEGABYTE, external: 0, rss: 90 * MEGABYTE, resources: [] }));
}

const GOOD: Soak = {
  seconds: 60,
  outcomes: { masked: 1000 },
  faults: 100,
  wrongFaults: [],
  memory: measurements(20, 60, 20, 21, 20, 22, 20, 60, 21),
};

describe('the report of a soak', () => {
  test('says that all is well if it is, though the heap has its ups and downs', () => {
    expect(findings(GOOD)).toEqual([]);
    expect(soakReport(GOOD)).toContain('Nothing lost, memory flat.');
  });

  test('names each kind of request that was lost', () => {
    expect(findings({ ...GOOD, outcomes: { masked: 1000, cut: 2 } })).toEqual([
      '2 requests ended otherwise: cut',
    ]);
    expect(findings({ ...GOOD, outcomes: {} })).toEqual(['no request was answered']);
  });

  test('names each fault that was not answered as documented, once', () => {
    const wrongFaults = ['the PDP drips', 'the PDP drips'];
    expect(findings({ ...GOOD, wrongFaults })).toEqual(['not answered as documented: the PDP drips']);
  });

  test('says by how much the heap grew', () => {
    expect(findings({ ...GOOD, memory: measurements(20, 20, 20, 26, 27, 28, 35, 35, 35) })).toEqual([
      'the heap grew by 15.0 MB',
    ]);
  });
});
