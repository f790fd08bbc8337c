import { TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
import { NumberText, valueAt, type JsonValue } from '../../src/core/json/value.ts';

const MAX_DEPTH = 64;

/** Reads a payload without losing a digit of its numbers. */
export function readJson(text: string): JsonValue {
  return valueAt(scan(Buffer.from(text), MAX_DEPTH), TOP);
}

export type JsonObject = { [name: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/** A string, number, boolean or null as JSON. */
export function scalarText(value: JsonValue): string {
  return value instanceof NumberText ? value.text : JSON.stringify(value);
}
