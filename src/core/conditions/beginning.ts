import { Occurrences } from '../paths/occurrences.ts';
import type { Operator } from './comparison.ts';
import { compareTexts } from './decimal.ts';
import { areShort, asksForLess, mostGenerous, type Order } from './relation.ts';
import { typedBeginningsOf } from './typed-beginning.ts';
import type { ValueType } from './value-type.ts';

/**
 * What matters of the beginning of a text, whatever follows: a shorter text that compares in the same way; or whether the
 * comparison holds, if that is certain.
 */
export type Beginning = string | boolean;

/** Shortens the beginnings of texts that are compared with values by the relation of an operator, never its opposite. */
export function beginningsOf(
  { relation }: Operator,
  type: ValueType,
  values: readonly string[],
): (text: string) => Beginning {
  switch (relation) {
    case 'present':
      return () => true;
    case 'startsWith':
      return (text) => {
        if (values.some((value) => text.startsWith(value))) return true;
        return values.some((value) => value.startsWith(text)) && text;
      };
    case 'contains':
      if (values.includes('')) return () => true;
      return areShort(values) ? searchedPart(values) : partIn(new Occurrences(values));
    case 'endsWith':
      return tailOf(values);
    case 'equals':
      return (text) => text;
    case 'less':
    case 'lessOrEqual':
    case 'greater':
    case 'greaterOrEqual':
      if (type === 'STRING') return orderOf(relation, values);
      return type === 'BOOLEAN' ? () => false : typedBeginningsOf(relation, type, values);
  }
}

/** The longest end of a text that a value begins with. */
function tailOf(values: readonly string[]): (text: string) => string {
  return areShort(values) ? searchedTail(values) : tailIn(new Occurrences(values));
}

function searchedPart(values: readonly string[]): (text: string) => string | true {
  const tail = searchedTail(values);
  return (text) => values.some((value) => text.includes(value)) || tail(text);
}

function partIn(values: Occurrences): (text: string) => string | true {
  const tail = tailIn(values);
  return (text) => values.areIn(text) || tail(text);
}

function searchedTail(values: readonly string[]): (text: string) => string {
  const longest = values.reduce((length, value) => Math.max(length, value.length), 0);
  return (text) => {
    let from = Math.max(0, text.length - longest);
    while (from < text.length && !values.some((value) => value.startsWith(text.slice(from)))) from++;
    return text.slice(from);
  };
}

function tailIn(values: Occurrences): (text: string) => string {
  return (text) => text.slice(text.length - values.lengthOfTail(text));
}

/** Two texts are in order by the first character in which they differ. */
function orderOf(relation: Order, values: readonly string[]): (text: string) => Beginning {
  const bound = mostGenerous(relation, values, compareTexts);
  if (bound === undefined) return () => false;
  return (text) => (bound.startsWith(text) ? text : compareTexts(text, bound) < 0 === asksForLess(relation));
}
