import { isString, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { scalarTextAt } from '../json/text.ts';
import type { FoundValue } from '../paths/attribute.ts';
import { NameIndex } from '../paths/name-index.ts';
import { decimalKeyOf, isPlainInteger } from './decimal.ts';
import { instantKey, parseInstant } from './instant.ts';
import { shortInstantAt } from './short-instant.ts';
import { doubleOfKey, shortNumberAt } from './short-number.ts';
import { isDated, isNumeric, type ValueType } from './value-type.ts';

/**
 * The same text for values that are equal as a type, and another one for others.
 *
 * @returns undefined if the text does not read as the type
 */
export function keyOf(type: ValueType, text: string): string | undefined {
  switch (type) {
    case 'STRING':
      return text;
    case 'INTEGER':
    case 'NUMBER':
      return decimalKeyOf(text);
    case 'BOOLEAN':
      return booleanKeyOf(text);
    case 'DATE':
    case 'DATETIME':
      return instantKeyOf(text);
  }
}

function booleanKeyOf(text: string): string | undefined {
  const word = text.toLowerCase();
  return word === 'true' || word === 'false' ? word : undefined;
}

function instantKeyOf(text: string): string | undefined {
  const instant = parseInstant(text);
  return instant && instantKey(instant);
}

/** Finds what belongs to the values that equal one in a document, most often without decoding that. */
export class EqualityIndex<T> {
  private readonly type: ValueType;
  private readonly byKey = new Map<string, T>();
  /** The same by numbers of few digits, or by the seconds of instants. */
  private readonly byNumber: Map<number, T> | undefined;
  /** The same by texts as they are spelt in a document. */
  private readonly bySpelling: NameIndex<T> | undefined;
  private readonly isNumeric: boolean;
  private readonly isDated: boolean;

  constructor(type: ValueType) {
    this.type = type;
    this.isNumeric = isNumeric(type);
    this.isDated = isDated(type);
    if (type !== 'BOOLEAN') this.byNumber = new Map();
    if (type === 'STRING') this.bySpelling = new NameIndex();
  }

  /** @param key of a value ({@link keyOf}) that is not in the index yet */
  set(key: string, of: T): void {
    this.byKey.set(key, of);
    this.bySpelling?.set(key, of);
    const number = this.numberOf(key);
    if (!Number.isNaN(number)) this.byNumber?.set(number, of);
  }

  ofKey(key: string): T | undefined {
    return this.byKey.get(key);
  }

  /** @param onUnreadable called if the text does not read as the type */
  ofText(text: string, onUnreadable: () => void): T | undefined {
    const key = keyOf(this.type, text);
    if (key === undefined) onUnreadable();
    return key === undefined ? undefined : this.byKey.get(key);
  }

  /** @param onUnreadable called if the value is a scalar that does not read as the type */
  at(doc: JsonDocument, value: FoundValue, onUnreadable: () => void): T | undefined {
    if (typeof value === 'string') return this.ofText(value, onUnreadable);
    const kind = kindOf(doc, value);
    if (this.isDated) {
      const seconds = shortInstantAt(doc, value);
      if (!Number.isNaN(seconds)) return this.byNumber?.get(seconds);
    } else if (this.byNumber && (kind === Kind.number || (this.isNumeric && kind === Kind.plainString))) {
      const number = this.numberAt(doc, value, kind);
      if (!Number.isNaN(number)) return this.byNumber.get(number);
    }
    if (this.bySpelling && isString(kind)) return this.bySpelling.get(doc, value);
    const text = scalarTextAt(doc, value);
    return text === undefined ? undefined : this.ofText(text, onUnreadable);
  }

  /** @returns NaN if the key is that of no short number or instant */
  private numberOf(key: string): number {
    if (this.isDated) return key.endsWith('.') ? Number(key.slice(0, -1)) : NaN;
    return this.isNumeric ? doubleOfKey(key) : isPlainInteger(key) ? Number(key) : NaN;
  }

  /** An integer of few digits has one spelling: as texts, those are equal that are equal as numbers. */
  private numberAt(doc: JsonDocument, node: Node, kind: Kind): number {
    const isInString = kind !== Kind.number;
    const spelling = this.isNumeric ? 'decimal' : 'integer';
    return shortNumberAt(doc.bytes, startOf(doc, node) + Number(isInString), isInString, spelling);
  }
}
