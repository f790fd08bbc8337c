import type { Path, Segment } from './path.ts';
import type { Step } from './place.ts';

/**
 * Whether a path leads along a route, from its first step to its last (enforcement §3, targeting): an array that
 * the path meets without `#` or an index is entered, but never the array at which the path ends.
 */
export function leadsAlong(path: Path, route: readonly Step[]): boolean {
  const [segment, ...rest] = path;
  if (segment === undefined) return route.length === 0;
  if (segment.kind === 'descent') return leadsAlong(rest, route) || descends(path, route);
  const [step, ...further] = route;
  if (step === undefined) return false;
  if (typeof step === 'string') return namesStep(segment, step) && leadsAlong(rest, further);
  if (entersUnasked(segment)) return leadsAlong(path, further);
  return selectsIndex(segment, step) && leadsAlong(rest, further);
}

/** Whether a segment says nothing of arrays, so that it asks each element of one instead. */
export function entersUnasked(segment: Segment): boolean {
  return segment.kind === 'name' || segment.kind === 'wildcard';
}

/** Whether a segment fits a property name of an object. */
export function namesStep(segment: Segment, name: string): boolean {
  if (segment.kind === 'name') return segment.name === name;
  if (segment.kind === 'digits') return segment.text === name;
  if (segment.kind === 'each') return name === '#';
  if (segment.kind === 'wildcard') return segment.pattern.test(name);
  return segment.kind === 'anyChild';
}

/** Whether a segment that speaks of arrays selects the element at an index. */
export function selectsIndex(segment: Segment, index: number): boolean {
  if (segment.kind === 'digits') return Number(segment.text) === index;
  return segment.kind === 'each' || segment.kind === 'anyChild';
}

function descends(path: Path, route: readonly Step[]): boolean {
  return route.length > 0 && leadsAlong(path, route.slice(1));
}
