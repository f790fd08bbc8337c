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
  negation,
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
  readonly place: JsonPointer;
}

/**
 * Reads a UCAST condition as OPA writes it. `{}` holds always.
 *
 * What negates holds only if every field that it is about is present: in Rego, `!=` is undefined for an absent one.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function readUcast(query: JsonValue, settings: DecisionSettings, place: JsonPointer): Condition {
  if (isObject(query) && Object.keys(query).length === 0) return ALWAYS;
  return conditionFrom(readNode(query, settings, place));
}

function readNode(written: JsonValue, settings: DecisionSettings, place: JsonPointer): Formula {
  const node = objectIn(written, place, 'no condition');
  if (node['type'] === 'compound') return readCompound(node, settings, place);
  if (node['type'] === 'field') return readField(node, settings, place);
  throw notUnderstood('an unknown type of condition', [...place, 'type']);
}

function readCompound(node: JsonObject, settings: DecisionSettings, place: JsonPointer): Formula {
  mustHaveOnly(node, ['type', 'operator', 'value'], place);
  const { operator, value } = node;
  const at = [...place, 'value'];
  if (!Array.isArray(value) || value.length === 0) throw notUnderstood('no list of conditions', at);
  const of = value.map((part, i) => readNode(part, settings, [...at, i]));
  if (operator === 'and') return { kind: 'all', of };
  if (operator === 'or') return { kind: 'any', of };
  if (operator !== 'not') throw notUnderstood('an unknown operator', [...place, 'operator']);
  const [only, ...others] = of;
  if (only === undefined || others.length > 0) throw notUnderstood('more than one condition', at);
  return negation(only);
}

function readField(node: JsonObject, settings: DecisionSettings, place: JsonPointer): Formula {
  mustHaveOnly(node, ['type', 'operator', 'field', 'value'], place);
  const { operator, field, value } = node;
  if (typeof operator !== 'string') throw notUnderstood('an unknown operator', [...place, 'operator']);
  if (typeof field !== 'string') throw notUnderstood('no name of a field', [...place, 'field']);
  if (value === undefined) throw notUnderstood('no value to compare with', [...place, 'value']);
  const path = fieldPath(field, settings, [...place, 'field']);
  const about = { field, path, place: [...place, 'value'] };
  const relation = RELATIONS.get(operator);
  if (relation !== undefined) return comparison(about, relation, value);
  switch (operator) {
    case 'ne':
      return value === null ? present(about) : negation(comparison(about, 'equals', value));
    case 'in':
      return anyListed(about, value);
    case 'nin':
      return { kind: 'all', of: [present(about), negation(anyListed(about, value))] };
    default:
      throw notUnderstood('an unknown operator', [...place, 'operator']);
  }
}

/** That the field equals one of the values, which may be of different types. An empty list is about the field too, and never holds. */
function anyListed(about: Field, value: JsonValue): Formula {
  if (!Array.isArray(value)) throw notUnderstood('no list of values', about.place);
  if (value.length === 0) return negation(present(about));
  const typed = value.map((one, i) => typedValue(one, [...about.place, i]));
  const of = Object.values(_.groupBy(typed, 'type')).flatMap((group): FieldComparison[] => {
    const [first] = group;
    return first === undefined
      ? []
      : [
          equalsAny(
            about,
            first.type,
            group.map(({ text }) => text),
          ),
        ];
  });
  return { kind: 'any', of };
}

function equalsAny(about: Field, type: ValueType, values: readonly string[]): FieldComparison {
  return { ...about, kind: 'comparison', relation: 'equals', type, values, isNegated: false };
}

function comparison(about: Field, relation: Relation, value: JsonValue): FieldComparison {
  const { type, text } = typedValue(value, about.place);
  if (OF_TEXT.has(relation) && type !== 'STRING') throw notUnderstood('no text', about.place);
  return { ...about, kind: 'comparison', relation, type, values: [text], isNegated: false };
}

/** A value with the type that it is compared as. A field in its place would compare two fields, which is not supported. */
function typedValue(
  value: JsonValue,
  place: JsonPointer,
): { readonly type: ValueType; readonly text: string } {
  if (typeof value === 'string') return { type: 'STRING', text: value };
  if (typeof value === 'boolean') return { type: 'BOOLEAN', text: String(value) };
  if (typeof value === 'number' || value instanceof NumberText)
    return { type: 'NUMBER', text: String(value) };
  if (isObject(value)) throw notUnderstood('a comparison of two fields', place);
  throw notUnderstood('no text, number or boolean to compare with', place);
}
