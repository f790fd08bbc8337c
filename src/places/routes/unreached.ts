import _ from 'lodash';
import { compilePattern, pathsFor, segmentsOf, type PathPattern } from './path-pattern.ts';

interface WrittenRoute {
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
  for (const { path, methods } of routes) {
    const paths = pathsFor(path, longest);
    const isTaken = ({ pattern, methods: taken }: EarlierRoute): boolean =>
      areAmong(methods, taken) && paths?.every((one) => pattern.matches(one)) === true;
    if (earlier.some(isTaken)) unreached.push(path);
    else earlier.push({ pattern: compilePattern(path), methods: methods && methodsTaken(methods) });
  }
  return unreached;
}

/** A route for GET takes HEAD, too: the answer to HEAD describes the answer to GET. */
export function methodsTaken(methods: readonly string[]): ReadonlySet<string> {
  return new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
}

/** @param methods of a route, and those of another; all methods if undefined */
function areAmong(methods: readonly string[] | undefined, taken: ReadonlySet<string> | undefined): boolean {
  return taken === undefined || methods?.every((method) => taken.has(method)) === true;
}
