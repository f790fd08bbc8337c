import { page } from '../../bench/report/page.ts';
import { readResults } from '../../bench/report/results-file.ts';

/** `docs/performance.md`: of the numbers that the benchmark wrote last. */
export function performancePage(): string {
  return page(readResults('docs'));
}
