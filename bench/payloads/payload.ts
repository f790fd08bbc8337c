import { customer, EXACT } from './customer.ts';

/** The kinds of payload that are measured. Each is an array of records. */
export const PAYLOADS = {
  customers: (bytes: number) => array(bytes, (index) => customer(index)),
  decimals: (bytes: number) => array(bytes, (index) => customer(index, EXACT)),
  'pretty-printed': (bytes: number) => indented(bytes),
  deep: (bytes: number) => array(bytes, nested),
  'one string': (bytes: number) => record(`"document":"${'VGhlIHF1aWNrIGJyb3du'.repeat(bytes / 20)}"`),
  'array of numbers': (bytes: number) => record(`"samples":${array(bytes, sample)}`),
} as const satisfies Record<string, (bytes: number) => string>;

export type PayloadKind = keyof typeof PAYLOADS;

/** The kinds whose payloads begin alike, whatever their size. */
export function isList(kind: PayloadKind): boolean {
  return kind !== 'one string' && kind !== 'array of numbers';
}

/** How deep the records of `deep` nest. */
const NESTING = 100;

/** The spaces that indentation by two adds make up about this share. */
const INDENTED_SHARE = 0.7;

/** As many items as fit, at least one. */
function array(bytes: number, item: (index: number) => string): string {
  const items: string[] = [];
  let length = 1;
  for (let index = 0; ; index++) {
    const next = item(index);
    length += next.length + 1;
    if (length > bytes && index > 0) return `[${items.join(',')}]`;
    items.push(next);
  }
}

function indented(bytes: number): string {
  return JSON.stringify(JSON.parse(PAYLOADS.customers(bytes * INDENTED_SHARE)), null, 2);
}

function nested(index: number): string {
  return `${'{"next":'.repeat(NESTING)}${customer(index)}${'}'.repeat(NESTING)}`;
}

/** A record with one large property, and those of a customer. */
function record(property: string): string {
  return `[${customer(0).slice(0, -1)},${property}}]`;
}

function sample(index: number): string {
  return String((index * 7919) % 1_000_003);
}
