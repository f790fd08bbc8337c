import _ from 'lodash';
import {
  ALWAYS,
  NumberText,
  type Condition,
  type JsonValue,
  type Path,
  type Relation,
  type ValueType,
} from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import {
  isObject,
  type JsonObject,
  mustHaveOnly,
  notUnderstood,
  objectIn,
  type JsonPointer,
} from '../../decisions/index.ts';
import { fieldPath } from './field.ts';
import {
  conditionFrom,
  ofPresentFields,
  OPERATORS,
  present,
  type FieldComparison,
  type Formula,
} from './formula.ts';

/** The relations of operators, which never hold for an absent field. */
const RELATIONS: ReadonlyMap<string, Relation> = new Map(
  OPERATORS.map(([relation, operator]) => [operator, relation]),
);
const OF_TEXT: ReadonlySet<Relation> = new Set<Relation>(['contains', 'startsWith', 'endsWith']);

/** A field of a condition. */
interface Field {
  readonly field: string;
  readonly path: Path;
  /** Of what it is compared with. */
  readonly place: PartPlace;
}

/** Made only if it is shown: conditions are deep. */
type PartPlace = () => JsonPointer;

interface TypedValue {
  readonly type: ValueType;
  readonly text: string;
}

/** What a part of a condition is read in. */
interface Reading {
  readonly settings: DecisionSettings;
  /** Whether what holds outside is that the part does not hold. */
  readonly isNegated: boolean;
  /** Whether every field of the part is present, because something around it is negated. */
  readonly isGuarded: boolean;
}

/**
 * Reads a UCAST condition as OPA writes it. `{}` holds always.
 *
 * What negates holds only if every field that it is about is present: in Rego, `!=` is undefined for an absent one. Within it, nothing
 * more has to be present.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function readUcast(query: JsonValue, settings: DecisionSettings, place: JsonPointer): Condition {
  if (isObject(query) && Object.keys(query).length === 0) return ALWAYS;
  const reading = { settings, isNegated: false, isGuarded: false };
  return conditionFrom(readNode(query, reading, () => place));
}

function within(place: PartPlace, part: string | number): PartPlace {
  return () => [...place(), part];
}

function readNode(written: JsonValue, reading: Reading, place: PartPlace): Formula {
  const node = objectIn(written, place, 'no condition');
  if (node['type'] === 'compound') return readCompound(node, reading, place);
  if (node['type'] === 'field') return readField(node, reading, place);
  throw notUnderstood('an unknown type of condition', within(place, 'type'));
}

function readCompound(node: JsonObject, reading: Reading, place: PartPlace): Formula {
  mustHaveOnly(node, ['type', 'operator', 'value'], place);
  const { operator, value } = node;
  const at = within(place, 'value');
  if (!Array.isArray(value) || value.length === 0) throw notUnderstood('no list of conditions', at);
  const partsIn = (inside: Reading) => value.map((part, i) => readNode(part, inside, within(at, i)));
  if (operator === 'and') return both(partsIn(reading), reading);
  if (operator === 'or') return either(partsIn(reading), reading);
  if (operator !== 'not') throw notUnderstood('an unknown operator', within(place, 'operator'));
  if (value.length > 1) throw notUnderstood('more than one condition', at);
  return negated(reading, (inside) => both(partsIn(inside), inside));
}

function readField(node: JsonObject, reading: Reading, place: PartPlace): Formula {
  mustHaveOnly(node, ['type', 'operator', 'field', 'value'], place);
  const { operator, field, value } = node;
  if (typeof operator !== 'string') throw notUnderstood('an unknown operator', within(place, 'operator'));
  if (typeof field !== 'string') throw notUnderstood('no name of a field', within(place, 'field'));
  if (value === undefined) throw notUnderstood('no value to compare with', within(place, 'value'));
  const path = fieldPath(field, reading.settings, within(place, 'field'));
  const about = { field, path, place: within(place, 'value') };
  const relation = RELATIONS.get(operator);
  if (relation !== undefined) return signed(comparison(about, relation, value), reading);
  switch (operator) {
    case 'ne':
      if (value === null) return signed(present(about), reading);
      return negated(reading, (inside) => signed(comparison(about, 'equals', value), inside));
    case 'in':
      return anyListed(about, value, reading);
    case 'nin':
      return negated(reading, (inside) => anyListed(about, value, inside));
    default:
      throw notUnderstood('an unknown operator', within(place, 'operator'));
  }
}

function negated(reading: Reading, read: (inside: Reading) => Formula): Formula {
  const formula = read({ ...reading, isNegated: !reading.isNegated, isGuarded: true });
  return reading.isGuarded ? formula : ofPresentFields(formula);
}

function both(of: readonly Formula[], { isNegated }: Reading): Formula {
  return { kind: isNegated ? 'any' : 'all', of };
}

function either(of: readonly Formula[], { isNegated }: Reading): Formula {
  return { kind: isNegated ? 'all' : 'any', of };
}

function signed(compared: FieldComparison, { isNegated }: Reading): FieldComparison {
  return isNegated ? { ...compared, isNegated } : compared;
}

/** That the field equals one of the values, which may be of different types. An empty list is about the field too, and never holds. */
function anyListed(about: Field, value: JsonValue, reading: Reading): Formula {
  if (!Array.isArray(value)) throw notUnderstood('no list of values', about.place);
  if (value.length === 0) return negated(reading, (inside) => signed(present(about), inside));
  const typed = value.map((one, i) => typedValue(one, within(about.place, i)));
  const groups = Object.entries(_.groupBy(typed, 'type'));
  const of = groups.map(([, group]) => signed(equalsAny(about, group), reading));
  return either(of, reading);
}

function equalsAny(about: Field, typed: readonly TypedValue[]): FieldComparison {
  const [{ type } = { type: 'STRING' as const }] = typed;
  const values = typed.map(({ text }) => text);
  return { ...about, kind: 'comparison', relation: 'equals', type, values, isNegated: false };
}

function comparison(about: Field, relation: Relation, value: JsonValue): FieldComparison {
  const { type, text } = typedValue(value, about.place);
  if (OF_TEXT.has(relation) && type !== 'STRING') throw notUnderstood('no text', about.place);
  return { ...about, kind: 'comparison', relation, type, values: [text], isNegated: false };
}

/** A value with the type that it is compared as. A field in its place would compare two fields, which is not supported. */
function typedValue(value: JsonValue, place: PartPlace): TypedValue {
  if (typeof value === 'string') return { type: 'STRING', text: value };
  if (typeof value === 'boolean') return { type: 'BOOLEAN', text: String(value) };
  if (typeof value === 'number' || value instanceof NumberText)
    return { type: 'NUMBER', text: String(value) };
  if (isObject(value)) throw notUnderstood('a comparison of two fields', place);
  throw notUnderstood('no text, number or boolean to compare with', place);
}
