import type * as z from 'zod';
import { nearestOf } from './nearest-of.ts';
import type { Place } from './source.ts';

/** One problem and where it is. */
export interface PlacedProblem {
  readonly place: Place;
  readonly message: string;
}

/** What a schema found, with one problem for each unknown key. */
export function explain(issues: readonly z.core.$ZodIssue[]): PlacedProblem[] {
  return issues.flatMap((issue): PlacedProblem[] => {
    if (issue.code !== 'unrecognized_keys') return [{ place: issue.path, message: issue.message }];
    const known = issue.message.split(' ');
    return issue.keys.map((key) => ({
      place: [...issue.path, key],
      message: `is not a known key${nearestOf(key, known)}`,
    }));
  });
}
