import { compareAs } from './compare.ts';
import { createHmac } from 'node:crypto';
import { firstDay } from './first-day.ts';
import { HASH_KEYS } from './keys.ts';
import { arrayOf, NULL, keyIdOf, objectOf, scalarText, stringOf, type Json } from './model.ts';
import { charactersOf } from './partial.ts';
import { roundTo } from './rounding.ts';

/** What a mask makes of a value that is not null; undefined where it leaves it to the default mask. */
export type Mask = (value: Json) => Json | undefined;

/** The masks of masks.md that change a value in place; undefined where the argument is wrong or the name is another. */
export function createMask(name: string, argument: string): Mask | undefined {
  if (argument === '') return WITHOUT_ARGUMENT.get(name);
  if (name === 'email' && argument.toLowerCase() === 'domain')
    return ofText((text) => email(text, () => '***'));
  if (name === 'round') return roundTo(argument);
  if (name === 'bucket') return bucket(argument.split(',').map((bound) => bound.trim()));
  return name === 'hash' ? hash(argument) : undefined;
}

const WITHOUT_ARGUMENT: ReadonlyMap<string, Mask> = new Map<string, Mask>([
  ['null', () => NULL],
  ['empty', emptied],
  ['email', ofText((text) => email(text, hideAllButFirst))],
  ['card', card],
  ['shape', shape],
  ['year', ofText((text) => firstDay(text, 'year'))],
  ['month', ofText((text) => firstDay(text, 'month'))],
]);

function ofText(change: (text: string) => string | undefined): Mask {
  return (value) => {
    const changed = value.kind === 'string' ? change(value.value) : undefined;
    return changed === undefined ? undefined : stringOf(changed);
  };
}

function emptied({ kind }: Json): Json {
  if (kind === 'string') return stringOf('');
  if (kind === 'number') return keyIdOf('0');
  if (kind === 'boolean') return { kind, value: false };
  return kind === 'array' ? arrayOf([]) : objectOf([]);
}

function email(text: string, hide: (local: string) => string): string | undefined {
  const [local = '', domain = '', ...more] = text.split('@');
  const isAddress =
    more.length === 0 &&
    /^[^\s\p{C}<>()[\]:;,"\\]+$/u.test(local) &&
    domain.split('.').every((label) => /^[\p{L}\p{N}\p{M}-]+$/u.test(label));
  return isAddress ? `${hide(local)}@${domain}` : undefined;
}

function hideAllButFirst(local: string): string {
  const characters = charactersOf(local);
  return characters.map((character, at) => (at === 0 && characters.length > 1 ? character : '*')).join('');
}

function card(value: Json): Json | undefined {
  if (value.kind === 'string') {
    const hidden = /^[0-9\s\p{P}]*$/u.test(value.value) ? cardDigits(value.value, '*') : undefined;
    return hidden === undefined ? undefined : stringOf(hidden);
  }
  if (value.kind !== 'number') return undefined;
  const [mantissa = '', ...exponent] = value.text.split(/(?=[eE])/);
  const hidden = cardDigits(mantissa, '9');
  return hidden === undefined ? undefined : keyIdOf([hidden, ...exponent].join(''));
}

function cardDigits(text: string, character: string): string | undefined {
  const places = [...text.matchAll(/[0-9]/g)].map(({ index }) => index);
  if (places.length < 12 || places.length > 19) return undefined;
  const hidden = new Set(places.slice(6, -4));
  return text.replace(/[0-9]/g, (digit, at: number) => (hidden.has(at) ? character : digit));
}

function shape(value: Json): Json | undefined {
  if (value.kind === 'string') return stringOf(charactersOf(value.value).map(shapeOf).join(''));
  if (value.kind !== 'number') return undefined;
  const [mantissa = '', ...exponent] = value.text.split(/(?=[eE])/);
  return keyIdOf([mantissa.replace(/[0-9]/g, '9'), ...exponent].join(''));
}

function shapeOf(character: string): string {
  const others = character.replaceAll(/\p{N}/gu, '');
  if (/\p{Uppercase}|\p{Lt}/u.test(others)) return 'X';
  if (/\p{Alphabetic}/u.test(others)) return 'x';
  return others === character ? character : '9';
}

function order(one: string, other: string): number {
  return compareAs('NUMBER', one, other) ?? NaN;
}

function bucket(bounds: readonly string[]): Mask | undefined {
  if (!bounds.every((bound) => /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(bound)))
    return undefined;
  const sorted = bounds.toSorted(order);
  return (value) => {
    const bound =
      value.kind === 'number' ? sorted.findLast((each) => order(each, value.text) <= 0) : undefined;
    return bound === undefined ? undefined : keyIdOf(bound);
  };
}

function hash(name: string): Mask | undefined {
  const key = HASH_KEYS.get(name);
  if (key === undefined) return undefined;
  return (value) => {
    const text = scalarText(value);
    if (text === undefined) return undefined;
    return stringOf(createHmac('sha256', key).update(text).digest('base64url').slice(0, 22));
  };
}
