import * as fc from 'fast-check';
import { scalarText, type Json } from '../model.ts';
import { chainOf, descendantsOf, topPlace, type Place, type Step } from '../place.ts';
import type { Payload } from './payload.ts';

type Route = readonly Step[];

/** A scalar of a record and a path that reads it. */
export interface Attribute {
  readonly path: string;
  readonly kind: Json['kind'];
  readonly text: string;
}

/** A property path in two parts, as `object` and `attrName` have it. */
interface SplitPath {
  readonly prefix: string;
  readonly column: string;
}

/** What a decision may say of the properties of a payload's records. */
export interface Paths {
  /** Property paths in every spelling: most lead to something, some to nothing. */
  readonly path: fc.Arbitrary<string>;
  /** The same without what only a reading of the page could decide for a literal: an index below what is absent. */
  readonly literalPath: fc.Arbitrary<string>;
  readonly split: fc.Arbitrary<SplitPath>;
  readonly attribute: fc.Arbitrary<Attribute>;
  /** Names and beginnings of names as they are, for operators on the name. */
  readonly name: fc.Arbitrary<string>;
}

const ABSENT_PATHS = [
  'nick',
  'region',
  'home.address.city',
  'customer.nick',
  'customer.#.nick',
  'json.nick',
  'customer.address.country',
  'accounts.#.currency',
  'accounts.currency',
  'tags.#',
  'tags.9',
  'ssn.deeper',
  '*nick',
] as const;

const JSON_PATHS = [
  '$..ssn',
  '$..holders',
  "$['ssn']",
  '$.customer',
  '$.tags[*]',
  '$.tags[0]',
  '$..*',
  '$.tags[-1]',
  '$.tags[0,1]',
  '$.tags.#',
  '$.accounts.#.iban',
  "$.odd['0']",
  "$.accounts['0'].iban",
  "$['ssn','region']",
] as const;

export function pathsInto({ records, prefixes }: Payload): Paths {
  const routes = records.flatMap(routesInto).filter(isSpellable);
  const recordPath = fc.oneof(
    { weight: 6, arbitrary: pickFrom(routes, ['nothing']).chain(spelledWildly) },
    { weight: 3, arbitrary: fc.constantFrom(...ABSENT_PATHS) },
    { weight: 1, arbitrary: fc.constantFrom(...JSON_PATHS) },
  );
  const inRecord = fc.tuple(recordPath, prefixOrNone(prefixes)).map(withPrefix);
  const whole = fc.constantFrom('#', '$', 'json', ...prefixes);
  const dotted = fc.oneof({ weight: 24, arbitrary: inRecord }, { weight: 1, arbitrary: whole });
  const path = dotted.chain(seldomInBrackets);
  const attribute = pickFrom(records.flatMap(scalarsOf), NO_SCALAR).chain(attributeAt);
  const spelt = fc
    .tuple(attribute, prefixOrNone(prefixes.filter((prefix) => !/[*?]/.test(prefix))))
    .chain(([{ path: below, kind, text }, prefix]) =>
      seldomInBrackets(withPrefix([below, prefix])).map((one) => ({ path: one, kind, text })),
    );
  return {
    path,
    literalPath: path.filter(
      (text) => !/[$*?]|\.[0-9]+\.|^[0-9]+\.|[0-9]$/.test(text.replace(/tags\.9$/, '')),
    ),
    split: fc.oneof(
      {
        weight: 4,
        arbitrary: pickFrom(routes.filter(hasTwoNames), ['customer', 'nick']).chain(splitAnywhere),
      },
      { weight: 1, arbitrary: splitAtRoot(routes, prefixes) },
    ),
    attribute: fc.oneof(
      { weight: 14, arbitrary: spelt },
      { weight: 1, arbitrary: fc.tuple(attribute, fc.boolean()).map(anywhere) },
    ),
    name: fc
      .tuple(pickFrom(routes.filter(isPlain), ['ssn']).map(joined), prefixOrNone(prefixes.filter(isName)))
      .map(withPrefix),
  };
}

/** The same at any depth, by its last name or by any. */
function anywhere([{ path, kind, text }, byName]: readonly [Attribute, boolean]): Attribute {
  const [name] = (byName && /[a-z]+$/.exec(path)) || ['*'];
  return { path: `$..${name}`, kind, text };
}

/** The root as the prefix of a property. */
function splitAtRoot(routes: readonly Route[], prefixes: readonly string[]): fc.Arbitrary<SplitPath> {
  const prefix = pickFrom(prefixes, 'customer');
  const column = pickFrom(routes, ['ssn']).chain((route) => spelled(route, false));
  return fc.record({ prefix, column });
}

/** Whether a prefix has names alone, so that it may be part of a text. */
function isName(prefix: string): boolean {
  return /^[a-z.#0-9]+$/.test(prefix);
}

interface Scalar {
  readonly route: Route;
  readonly value: Json;
}

const NO_SCALAR: Scalar = { route: ['nothing'], value: { kind: 'string', value: 'x', spelling: '"x"' } };

function routesInto(record: Json): Route[] {
  return descendantsOf(topPlace({ value: record })).map(routeOf);
}

function scalarsOf(record: Json): Scalar[] {
  return descendantsOf(topPlace({ value: record }))
    .filter((place) => scalarText(place.slot.value) !== undefined && isSpellable(routeOf(place)))
    .map((place) => ({ route: routeOf(place), value: place.slot.value }));
}

function routeOf(place: Place): Route {
  return chainOf(place).flatMap(({ step }) => (step === undefined ? [] : [step]));
}

/** A dotted path has no spelling for the empty name. */
function isSpellable(route: Route): boolean {
  return !route.includes('');
}

function isPlain(route: Route): boolean {
  return route.every((step) => typeof step === 'number' || /^[a-z]+$/i.test(step));
}

function hasTwoNames(route: Route): boolean {
  return (
    route.filter((step) => typeof step === 'string').length > 1 &&
    !route.some((step) => /^[0-9]+$/.test(step.toString()) && typeof step === 'string')
  );
}

function pickFrom<T>(choices: readonly T[], otherwise: T): fc.Arbitrary<T> {
  return choices.length === 0 ? fc.constant(otherwise) : fc.constantFrom(...choices);
}

function prefixOrNone(prefixes: readonly string[]): fc.Arbitrary<string> {
  const none = { weight: 2, arbitrary: fc.constant('') };
  return prefixes.length === 0
    ? fc.constant('')
    : fc.oneof(none, { weight: 1, arbitrary: fc.constantFrom(...prefixes) });
}

/** JSONPath has no place in a dotted path, and goes on with plain names alone. */
function withPrefix([path, prefix]: readonly [path: string, prefix: string]): string {
  if (prefix === '' || path.startsWith('$')) return path;
  return prefix.startsWith('$') && !/^[a-z.]+$/i.test(path) ? path : `${prefix}.${path}`;
}

/** How JSONPath writes names and elements: alone, or with others that are not meant. */
interface Brackets {
  readonly name: (name: string) => string;
  readonly each: string;
  readonly index: (index: string) => string;
}

const BRACKETS: fc.Arbitrary<Brackets> = fc.constantFrom(
  { name: (name) => `['${name}']`, each: '[*]', index: (index) => `[${index}]` },
  { name: (name) => `['${name}','other']`, each: '[0:]', index: (index) => `[${index},9]` },
  { name: escapedName, each: '.#', index: (index) => `['${index}']` },
  { name: (name) => `['other','${name}']`, each: '[*]', index: (index) => `[${index}:${Number(index) + 1}]` },
);

/** A name in quotes whose first character is escaped. */
function escapedName(name: string): string {
  return `["\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"]`;
}

function seldomInBrackets(path: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: BRACKETS.map((spell) => inBrackets(path, spell)) },
  );
}

/** A dotted path of plain names and elements as JSONPath; any other path as it is. */
function inBrackets(path: string, { name, each, index }: Brackets): string {
  if (!/^[a-z0-9#.]+$/i.test(path)) return path;
  const steps = path.split('.').map((step) => {
    if (step === '#') return each;
    return /^[0-9]+$/.test(step) ? index(step) : name(step);
  });
  return `$${steps.join('')}`;
}

function joined(route: Route): string {
  return route.filter((step) => typeof step === 'string').join('.');
}

function attributeAt({ route, value }: Scalar): fc.Arbitrary<Attribute> {
  return spelled(route).map((path) => ({ path, kind: value.kind, text: scalarText(value) ?? '' }));
}

function splitAnywhere(route: Route): fc.Arbitrary<SplitPath> {
  const names = route.flatMap((step, at) => (typeof step === 'string' && at > 0 ? [at] : []));
  return fc.constantFrom(...names).chain((at) => {
    return fc.record({ prefix: spelled(route.slice(0, at), false), column: spelled(route.slice(at), false) });
  });
}

/** The path of a route, arrays on the way as `#`, not at all, or where wanted as an index. */
function spelled(route: Route, withIndexes = true): fc.Arbitrary<string> {
  return pathOf(
    route.map((step) =>
      typeof step === 'string' ? fc.constant(escapeName(step)) : array(step, withIndexes),
    ),
  );
}

function spelledWildly(route: Route): fc.Arbitrary<string> {
  const wild = pathOf(route.map((step) => (typeof step === 'string' ? wildName(step) : array(step, true))));
  return fc.oneof({ weight: 5, arbitrary: spelled(route) }, { weight: 1, arbitrary: wild });
}

function pathOf(parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((some) => some.filter((part) => part !== '').join('.'));
}

function array(index: number, withIndexes: boolean): fc.Arbitrary<string> {
  return fc.constantFrom('#', '#', '', withIndexes ? String(index) : '');
}

function wildName(name: string): fc.Arbitrary<string> {
  if (!/^[a-z]{2,}$/i.test(name)) return fc.constant(escapeName(name));
  return fc.constantFrom(`${name.slice(0, 1)}*`, `*${name.slice(-1)}`, `?${name.slice(1)}`, '*', name);
}

function escapeName(name: string): string {
  return name === '#' ? String.raw`\#` : name.replaceAll(/[$*.?\\]/g, String.raw`\$&`);
}
