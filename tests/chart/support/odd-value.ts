import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import * as z from 'zod';

const group = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
const leaf = z.looseObject({
  type: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
});

/** What has tests that know what it means, and what is for the API server alone to judge: maps without a schema. */
const OTHERS = /^(?:config|policies|enabled|global|existing\w+|sidecar)(?:\.|$)/u;

function isJudged(schema: unknown): boolean {
  const { type, additionalProperties, items } = leaf.parse(schema);
  if ([type].flat().includes('object')) return additionalProperties !== undefined;
  return type !== 'array' || items !== undefined;
}

function placesIn(schema: unknown, path: readonly string[] = []): readonly string[] {
  const { success, data } = group.safeParse(schema);
  if (success)
    return Object.entries(data.properties).flatMap(([name, part]) => placesIn(part, [...path, name]));
  const place = path.join('.');
  return OTHERS.test(place) || !isJudged(schema) ? [] : [place];
}

const PLACES = placesIn(JSON.parse(readFileSync('charts/authz-jsonmasking/values.schema.json', 'utf8')));

const VALUES: readonly unknown[] = [
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

/** A value at a place of the chart. */
export const oddValue = fc.record({
  place: fc.constantFrom(...PLACES),
  value: fc.constantFrom(...VALUES),
});
