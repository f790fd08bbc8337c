import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import * as z from 'zod';

const group = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
const leaf = z.looseObject({
  type: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
});

/** What has other tests, which know what it means, and what is for the API server alone to judge: maps without a schema. */
const OTHERS = /^(?:config|policies|enabled|global|existing\w+|sidecar)(?:\.|$)/u;

function isJudged(schema: unknown): boolean {
  const { type, additionalProperties, items } = leaf.parse(schema);
  if ([type].flat().includes('object')) return additionalProperties !== undefined;
  return type !== 'array' || items !== undefined;
}

interface Place {
  readonly place: string;
  /** The names of types in JSON schemas. */
  readonly types: readonly unknown[];
}

function placesIn(schema: unknown, path: readonly string[] = []): readonly Place[] {
  const { success, data } = group.safeParse(schema);
  if (success)
    return Object.entries(data.properties).flatMap(([name, part]) => placesIn(part, [...path, name]));
  return isJudged(schema) ? [{ place: path.join('.'), types: [leaf.parse(schema).type].flat() }] : [];
}

/** The places of values of a chart, by its folder. */
function placesOf(chart: string): readonly Place[] {
  return placesIn(JSON.parse(readFileSync(`charts/${chart}/values.schema.json`, 'utf8')));
}

const PLACES = placesOf('authz-jsonmasking');

export const VALUES: readonly unknown[] = [
  '',
  'a',
  ' ',
  'a ',
  '-a',
  'A',
  'a.b',
  'a/b',
  'a_b',
  'é',
  'x'.repeat(64),
  'x'.repeat(254),
  '1',
  'yes',
  'null',
  '1e3',
  '0o17',
  'a\n',
  '2001-01-01',
  '30s',
  '1m',
  '5s',
  '0%',
  '100%',
  '101%',
  '500m',
  '1Gi',
  '10.0.0.0/8',
  '10.0.0.1',
  'None',
  '/a',
  'a: b',
  '- a',
  '#',
  0,
  1,
  -1,
  2,
  5002,
  65_535,
  65_536,
  1e6,
  2 ** 31 - 1,
  2 ** 31,
  0.5,
  1e21,
  null,
  true,
  false,
  [],
  [''],
  [1],
  [null],
  [{}],
  ['10.0.0.0/8'],
  {},
  { a: 'b' },
  { a: '' },
  { 'A/b': 'c' },
  { 'a b': 'c' },
  { é: 'c' },
  { a: 'x'.repeat(64) },
  { a: 'b c' },
  { 'a/b/c': 'd' },
  { '': 'b' },
  { 'example.com/a': 'b' },
  { cpu: '0' },
  { cpu: '.5' },
];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A value at a place of the chart. */
export const oddValue = fc.record({
  place: fc.constantFrom(...PLACES.map(({ place }) => place).filter((place) => !OTHERS.test(place))),
  value: fc.constantFrom(...VALUES),
});

/** The same for other places, with values that are most often of the right type. */
function typedAt(places: readonly Place[]) {
  return fc.constantFrom(...places).chain(({ place, types }) => {
    const right = VALUES.filter((value) => types.includes(typeOf(value)));
    const typed = fc.constantFrom(...(right.length > 0 ? right : VALUES));
    const value = fc.oneof(
      { weight: 9, arbitrary: typed },
      { weight: 1, arbitrary: fc.constantFrom(...VALUES) },
    );
    return fc.record({ place: fc.constant(place), value });
  });
}

/** A value of a sidecar. */
export const oddSidecarValue = typedAt(
  PLACES.filter(({ place }) => /^(?:sidecar|existing\w+|enabled)(?:\.|$)/u.test(place)),
);

/** A value of the umbrella chart. */
export const oddAgentValue = typedAt(
  placesOf('policy-agent').filter(
    ({ place }) => !/^(?:enabled|authz-jsonmasking|pdp\.policies)(?:\.|$)/u.test(place),
  ),
);
