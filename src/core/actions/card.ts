import { plain } from './bracketed.ts';
import { withDigits } from './mantissa.ts';
import { scalarMask } from './scalar-mask.ts';

/** How many digits card numbers have (ISO/IEC 7812). */
const SHORTEST = 12;
const LONGEST = 19;
/** What may be shown of one (PCI DSS 3.4.1). */
const SHOWN_FIRST = 6;
const SHOWN_LAST = 4;

/** Digits, and what people write between them. Anything else is no card number, and would be shown. */
const CARD = /^[\d\s\p{P}]*$/u;
const NO_DIGIT = /\D/gu;

/** `card()`: the first six and the last four digits of a card number. */
export const card = plain(
  'card',
  {
    forms: ['card()'],
    example: { action: 'card()', before: '"4111 1111 1111 1111"', after: '"4111 11** **** 1111"' },
    suits: 'Card numbers on screens and receipts: the most that PCI DSS 3.4.1 allows to show.',
    reveals: 'The issuer, the last four digits, the length and the separators.',
  },
  scalarMask({
    text: (text) =>
      CARD.test(text) && isLength(text.replaceAll(NO_DIGIT, '').length) ? masked(text, '*') : undefined,
    number: (number) => withCardDigits(number),
  }),
);

function withCardDigits(number: string): string | undefined {
  let isCard = false;
  const result = withDigits(number, (digits) => {
    isCard = isLength(digits.length);
    return isCard ? masked(digits, '9') : digits;
  });
  return isCard ? result : undefined;
}

function isLength(digits: number): boolean {
  return digits >= SHORTEST && digits <= LONGEST;
}

function masked(text: string, character: string): string {
  const last = text.replaceAll(NO_DIGIT, '').length - SHOWN_LAST;
  let at = 0;
  return text.replaceAll(/\d/gu, (digit) => {
    const isShown = at < SHOWN_FIRST || at >= last;
    at++;
    return isShown ? digit : character;
  });
}
