import type { KeyObject } from 'node:crypto';
import type { JsonDocument } from '../json/document.ts';

/** A key of hashes. What it consists of may change at any time: ask {@link keyFor} for it each time. */
export interface MaskKey {
  readonly current: KeyObject;
}

/** The keys that hashes are made with, by the name that policies give. */
export interface MaskKeys {
  get(name: string): MaskKey | undefined;
}

export const NO_MASK_KEYS: MaskKeys = new Map<string, MaskKey>();

/** What keys consisted of when a text first needed them. */
const used = new WeakMap<JsonDocument, Map<MaskKey, KeyObject>>();

/** The key for the values of a text: the same for all, also if it changes while a long text is being masked. */
export function keyFor(doc: JsonDocument, key: MaskKey): KeyObject {
  let ofText = used.get(doc);
  if (ofText === undefined) used.set(doc, (ofText = new Map()));
  let current = ofText.get(key);
  if (current === undefined) ofText.set(key, (current = key.current));
  return current;
}
