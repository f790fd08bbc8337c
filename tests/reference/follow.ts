import type { Json } from './model.ts';
import type { Path, Segment } from './path.ts';
import type { Step } from './place.ts';

/** A value on a route and the step that led to it; the first station of a route has no step. */
export interface Station {
  readonly value: Json;
  readonly step: Step | undefined;
}

/** What remains of a path when it has been followed to the end of a route. */
export interface Rest {
  readonly path: Path;
  /** Whether a wildcard of property names took part. */
  readonly wild: boolean;
}

/**
 * Follows a path along a route and says what remains of the path at the end, once for each way to follow it. An array that
 * the path meets without `#` or an index is entered (docs/path-syntax.md#arrays). The path names the end of the route if
 * nothing remains.
 */
export function follow(path: Path, route: readonly Station[], wild = false): Rest[] {
  const [here, ...onward] = route;
  if (here === undefined) return [];
  const arrived = onward.length === 0 ? [{ path, wild }] : [];
  const [segment, ...rest] = path;
  if (segment === undefined) return arrived;
  return [
    ...arrived,
    ...(needsNoStep(path, here.value) ? follow(rest, route, wild || segment.kind === 'descent') : []),
    ...stepAlong(path, here.value, onward, wild),
  ];
}

/** Whether a path leads exactly to the end of a route. */
export function leadsAlong(path: Path, route: readonly Station[]): boolean {
  return follow(path, route).some((rest) => rest.path.length === 0);
}

/** Whether a segment says nothing of arrays, so that each element of an array is asked instead. */
export function entersUnasked(segment: Segment): boolean {
  if (segment.kind === 'union') return segment.options.some(entersUnasked);
  return segment.kind === 'name' || segment.kind === 'wildcard';
}

/** Whether a segment fits a property name of an object. */
export function namesStep(segment: Segment, name: string): boolean {
  if (segment.kind === 'name') return segment.name === name;
  if (segment.kind === 'digits') return segment.text === name;
  if (segment.kind === 'each') return name === '#';
  if (segment.kind === 'wildcard') return segment.pattern.test(name);
  if (segment.kind === 'union') return segment.options.some((option) => namesStep(option, name));
  return segment.kind === 'anyChild';
}

/** Whether a segment that speaks of arrays selects the element at an index. */
export function selectsIndex(segment: Segment, index: number, length: number): boolean {
  if (segment.kind === 'digits') return Number(segment.text) === index;
  if (segment.kind === 'slice') return segment.selects(index, length);
  if (segment.kind === 'union') return segment.options.some((option) => selectsIndex(option, index, length));
  return segment.kind === 'each' || segment.kind === 'anyChild';
}

/** Whether `#` means an object itself: a list that turned out to be one object. */
export function isListOfOne(segment: Segment, value: Json): boolean {
  return (
    segment.kind === 'each' && value.kind === 'object' && !value.members.some(({ name }) => name === '#')
  );
}

/** Whether `[*]`, with more behind it, means an object itself as well as what is in it. */
export function mayBeListOfOne([segment, next]: Path, value: Json): boolean {
  return (
    segment?.kind === 'anyChild' &&
    segment.inBrackets &&
    next !== undefined &&
    isListOfOne({ kind: 'each' }, value)
  );
}

function needsNoStep(path: Path, here: Json): boolean {
  const [segment] = path;
  if (segment === undefined) return false;
  return (
    segment.kind === 'start' ||
    segment.kind === 'descent' ||
    isListOfOne(segment, here) ||
    mayBeListOfOne(path, here)
  );
}

function stepAlong(path: Path, here: Json, onward: readonly Station[], wild: boolean): Rest[] {
  const [segment, ...rest] = path;
  const step = onward[0]?.step;
  if (segment === undefined || step === undefined) return [];
  if (segment.kind === 'descent') return follow(path, onward, true);
  if (typeof step === 'string') {
    if (isListOfOne(segment, here)) return [];
    const isWildcard = segment.kind === 'wildcard' || segment.kind === 'anyChild';
    return namesStep(segment, step) ? follow(rest, onward, wild || isWildcard) : [];
  }
  const length = here.kind === 'array' ? here.items.length : 0;
  return [
    ...(entersUnasked(segment) ? follow(path, onward, wild) : []),
    ...(selectsIndex(segment, step, length) ? follow(rest, onward, wild) : []),
  ];
}
