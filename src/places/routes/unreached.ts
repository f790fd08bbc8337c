import _ from 'lodash';
import { compilePattern, endsOf, pathsFor, segmentsOf, type PathPattern } from './path-pattern.ts';
import type { Segments } from './request-path.ts';
import { letsThrough, type RouteTreatment } from './section.ts';

interface WrittenRoute extends Pick<RouteTreatment, 'pass' | 'nonJson'> {
  readonly path: string;
  readonly methods?: readonly string[] | undefined;
}

interface EarlierRoute {
  readonly pattern: PathPattern;
  readonly methods: ReadonlySet<string> | undefined;
}

/**
 * The paths of routes that no request takes, because one before it takes all of them: the first that matches applies.
 *
 * @param routes verified
 */
export function unreachedRoutes(routes: readonly WrittenRoute[]): readonly string[] {
  const longest = _.max(routes.map(({ path }) => segmentsOf(path).length)) ?? 0;
  const earlier: EarlierRoute[] = [];
  const unreached: string[] = [];
  for (const route of routes) {
    const { path, methods } = route;
    const countsSlash = letsThrough(route);
    const paths = pathsFor(path, longest);
    const isTaken = ({ pattern, methods: taken }: EarlierRoute): boolean =>
      areAmong(methods, taken) &&
      endsOf(path, countsSlash).every(
        (end) => paths?.every((one) => isNoPath(one, end) || pattern.matches(one, end)) === true,
      );
    if (earlier.some(isTaken)) unreached.push(path);
    else
      earlier.push({ pattern: compilePattern(path, countsSlash), methods: methods && methodsTaken(methods) });
  }
  return unreached;
}

/** The shortest path is a slash. */
function isNoPath(segments: Segments, endsInSlash: boolean): boolean {
  return segments.length === 0 && !endsInSlash;
}

/** A route for GET takes HEAD, too: the answer to HEAD describes the answer to GET. */
export function methodsTaken(methods: readonly string[]): ReadonlySet<string> {
  return new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
}

/** @param methods of a route, and those of another; all methods if undefined */
function areAmong(methods: readonly string[] | undefined, taken: ReadonlySet<string> | undefined): boolean {
  return taken === undefined || methods?.every((method) => taken.has(method)) === true;
}
