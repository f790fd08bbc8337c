import type { Operator } from './comparison.ts';
import { compareTexts } from './decimal.ts';
import { asksForLess, type Order } from './relation.ts';
import { typedBeginningsOf } from './typed-beginning.ts';
import type { ValueType } from './value-type.ts';

/**
 * What matters of the beginning of a text, whatever follows: a shorter text that compares in the same way; or whether the
 * comparison holds, if that is certain.
 */
export type Beginning = string | boolean;

/** Values of more characters than this are not looked for one by one: more of the text is then kept than has to be. */
const MAX_SEARCHED = 256;

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
    case 'contains': {
      const tail = tailOf(values);
      return (text) => values.some((value) => text.includes(value)) || tail(text);
    }
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

/** The longest end of a text that a value may begin with. */
function tailOf(values: readonly string[]): (text: string) => string {
  const longest = values.reduce((length, value) => Math.max(length, value.length), 0);
  const isSearched = values.reduce((length, value) => length + value.length, 0) <= MAX_SEARCHED;
  return (text) => {
    let from = Math.max(0, text.length - longest);
    if (isSearched)
      while (from < text.length && !values.some((value) => value.startsWith(text.slice(from)))) from++;
    return text.slice(from);
  };
}

/** Two texts are in order by the first character in which they differ. */
function orderOf(relation: Order, values: readonly string[]): (text: string) => Beginning {
  return (text) => {
    if (values.some((value) => value.startsWith(text))) return text;
    return values.some((value) => compareTexts(text, value) < 0 === asksForLess(relation));
  };
}
