import type { Station } from './follow.ts';
import type { Step } from './place.ts';

/** The texts by which the end of a route may be called from its beginning: names joined by dots, each array written as `#`, as the index, or not at all. */
export function spellingsOf(route: readonly Station[]): string[] {
  const steps = route.slice(1).flatMap(({ step }) => (step === undefined ? [] : [step]));
  return steps.reduce<string[]>(
    (texts, step) => texts.flatMap((text) => waysToWrite(step).map((way) => joined(text, way))),
    [''],
  );
}

function waysToWrite(step: Step): string[] {
  return typeof step === 'string' ? [step] : ['', '#', String(step)];
}

function joined(text: string, way: string): string {
  return text === '' || way === '' ? text + way : `${text}.${way}`;
}
