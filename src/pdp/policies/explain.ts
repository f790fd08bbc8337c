import type * as z from 'zod';
import { shownKey, type YamlPath } from '../../yaml/index.ts';
import { nearestOf } from '../../nearest.ts';

/** One problem and its place. */
export interface PlacedProblem {
  readonly place: YamlPath;
  /** The last step of the place as it may be shown, if it is not the caller's to show as it is: an unknown key. */
  readonly shown?: string | undefined;
  readonly message: string;
}

/** Keys whose values are secrets: in a map that has one, an unknown key can be a part of the value. */
const SECRETS: ReadonlySet<string> = new Set(['clientSecret']);

/** What a schema found, with one problem for each unknown key. */
export function explain(issues: readonly z.core.$ZodIssue[]): PlacedProblem[] {
  return issues.flatMap((issue): PlacedProblem[] => {
    if (issue.code !== 'unrecognized_keys')
      return [{ place: issue.path, ...shownBy(issue), message: issue.message }];
    const known = issue.message.split(' ');
    return issue.keys.map((key) => unknownKey(issue.path, key, known));
  });
}

function unknownKey(path: YamlPath, key: string, known: readonly string[]): PlacedProblem {
  const shown = shownKey(key);
  const name = shown.replace('…', '');
  const message = `is not a known key${hintFor(name, known)}`;
  return { place: [...path, key], shown: canBeSecret(name, known) ? '…' : shown, message };
}

const DRY_RUN = '; write metadata: { DRY_RUN: id } with the property that names a record in the place of id';

function hintFor(name: string, known: readonly string[]): string {
  const meansDryRun = known.includes('metadata') && name.toLowerCase().replace(/[^a-z]/gu, '') === 'dryrun';
  return meansDryRun ? DRY_RUN : nearestOf(name, known);
}

function canBeSecret(name: string, known: readonly string[]): boolean {
  const isKnownInAnotherCase = known.some((one) => one.toLowerCase() === name.toLowerCase());
  return !isKnownInAnotherCase && known.some((one) => SECRETS.has(one));
}

/** Problems of a part that was checked by itself come as issues of their own: see `inOneForm`. */
function shownBy(issue: z.core.$ZodIssue): Pick<PlacedProblem, 'shown'> {
  const shown: unknown = issue.code === 'custom' ? issue.params?.['shown'] : undefined;
  return typeof shown === 'string' ? { shown } : {};
}
