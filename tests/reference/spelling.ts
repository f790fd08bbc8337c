import type { Station } from './follow.ts';
import type { Step } from './place.ts';

/** The texts by which the end of a route may be called from its beginning: names joined by dots, each array written as `#`, as the index, or not at all. */
export function spellingsOf(route: readonly Station[]): string[] {
  const steps = route.slice(1).flatMap(({ step }) => (step === undefined ? [] : [step]));
  const spelt = steps.reduce<string[][]>(
    (beginnings, step) => beginnings.flatMap((names) => waysToWrite(step).map((way) => names.concat(way))),
    [[]],
  );
  return spelt.map((names) => names.join('.'));
}

function waysToWrite(step: Step): string[][] {
  return typeof step === 'string' ? [[step]] : [[], ['#'], [String(step)]];
}
