import lodash from 'lodash';
import { documentedValues, type DocumentedValue } from './documented-values.ts';
import type { Exceptions } from './values-schema.ts';

/** A value that a template reads without asking whether it is there. */
interface GivenValue {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The values of another chart: which of them are left out is for its own templates to judge. */
const SUBCHART = 'authz-jsonmasking';

/** Maps of which templates read all that the defaults have. */
const READ = new Set(['global', 'pdp.policies', SUBCHART]);

/** Without a value, a map or a list that is not empty by default is left out: by that, operators remove the chart's own. */
function isLeftOut({ value, path }: DocumentedValue, exceptions: Exceptions): boolean {
  const { type } = exceptions[path.join('.')] ?? {};
  const isFilled = typeof value === 'object' && !lodash.isEmpty(value);
  return value === null || isFilled || (Array.isArray(type) && type.includes('null'));
}

/** A map, and all maps and values in it. */
function withMembers({ path, value }: GivenValue): readonly GivenValue[] {
  if (path[0] === SUBCHART || !lodash.isPlainObject(value)) return [{ path, value }];
  const members = Object.entries(Object(value)).map(([name, member]) => ({
    path: [...path, name],
    value: member,
  }));
  return [{ path, value }, ...members.flatMap(withMembers)];
}

function groupsOf(values: readonly DocumentedValue[]): readonly GivenValue[] {
  const all = values.reduce<object>((tree, { path, value }) => lodash.set(tree, path, value), {});
  const paths = values.flatMap(({ path }) => lodash.range(1, path.length).map((end) => path.slice(0, end)));
  return lodash
    .uniqBy(paths, (path) => path.join('.'))
    .map((path) => ({ path, value: lodash.get(all, path) }));
}

function isRead({ path }: DocumentedValue): boolean {
  return READ.has(path.join('.'));
}

/**
 * `files/defaults.json` of a chart: the groups of values, and the values in them, that have their default if a values file has
 * them as empty keys. Helm takes an empty key as null, and removes the value.
 *
 * @param chart the chart's folder
 */
export function givenValues(chart: string, exceptions: Exceptions): string {
  const values = documentedValues(chart);
  const single = values.filter((value) => isRead(value) || !isLeftOut(value, exceptions));
  return JSON.stringify([...groupsOf(values), ...single.flatMap(withMembers)]);
}
