import { compareDecimals, parseDecimal } from './decimal.ts';
import { compareInstants, FAR_SECONDS, parseInstant } from './instant.ts';
import { matching, mostGenerous, type Order } from './relation.ts';
import { isNumeric, type ValueType } from './value-type.ts';

/** A text that compares in the same way, whatever follows after a dot; false if the comparison holds for nothing that begins so. */
type TypedBeginning = string | false;

const INTEGER = /^-?(?:0|[1-9]\d*)$/u;
const WHOLE_SECONDS = /T\d{2}:\d{2}:\d{2}$/u;

/** Whether a text is an integer, which a fraction may follow. */
export function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

/** Whether a text that may be an instant ends in whole seconds, which a fraction may follow. */
export function isWholeSecond(text: string): boolean {
  return WHOLE_SECONDS.test(text);
}

const FAR = BigInt(FAR_SECONDS);

/**
 * Shortens the beginnings of paths that are compared as numbers or instants. A path goes on with a dot, so all that may go on are
 * integers and whole seconds. Most of these are alike: what follows changes nothing.
 */
export function typedBeginningsOf(
  relation: Order,
  type: Exclude<ValueType, 'STRING' | 'BOOLEAN'>,
  values: readonly string[],
): (text: string) => TypedBeginning {
  const fits = matching(relation, type, values);
  const [goesOn, shortened] = isNumeric(type)
    ? [isInteger, shortenedNumbers(relation, values)]
    : [isWholeSecond, shortenedInstants(relation, values)];
  /** A text for which the comparison holds and that nothing may follow. */
  let complete: string | undefined;
  return (text) => {
    if (text === '') return text;
    if (goesOn(text)) return shortened(text);
    return fits(text) === true && (complete ??= text);
  };
}

function shortenedNumbers(relation: Order, values: readonly string[]): (text: string) => TypedBeginning {
  const bounds = values.flatMap((value) => parseDecimal(value) ?? []);
  const { digits } = mostGenerous(relation, bounds, compareDecimals) ?? { digits: '' };
  return (text) => shortenedInteger(text, digits);
}

/**
 * An integer of as many digits, in the same order with the bound: numbers of equal length differ by their first other digit. What
 * parts from the bound is the least or the greatest of these integers.
 */
function shortenedInteger(text: string, bound: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length);
  let at = 0;
  while (at < digits.length && digits[at] === bound[at]) at++;
  if (at === digits.length || digits === '0') return text;
  if (at < bound.length && digits.charAt(at) < bound.charAt(at)) return `${sign}1`.padEnd(text.length, '0');
  if (at === bound.length && !/[1-9]/u.test(digits.slice(at))) return text;
  return sign.padEnd(text.length, '9');
}

function shortenedInstants(relation: Order, values: readonly string[]): (text: string) => TypedBeginning {
  const bounds = values.flatMap((value) => parseInstant(value) ?? []);
  const bound = mostGenerous(relation, bounds, compareInstants);
  /** One instant of those far from the bound that lie on the same side of it. */
  const known = new Map<number, string>();
  return (text) => {
    // What follows decides whether it is a leap second.
    if (text.endsWith(':60')) return parseInstant(`${text.slice(0, -2)}00`) !== undefined && text;
    const instant = parseInstant(text);
    if (instant === undefined) return false;
    const { seconds } = instant;
    if (bound === undefined) return false;
    if (bound.seconds - seconds < FAR && seconds - bound.seconds < FAR) return text;
    // The end of a day has no fraction.
    const isEnd = text.includes('T24');
    const place = Number(bound.seconds < seconds) * 2 + Number(isEnd);
    const like = known.get(place) ?? text;
    known.set(place, like);
    return like;
  };
}
