import type { KeyObject } from 'node:crypto';

/** A key of hashes. What it consists of may change at any time: ask for it each time. */
export interface MaskKey {
  readonly current: KeyObject;
}

/** The keys that hashes are made with, by the name that policies give. */
export interface MaskKeys {
  get(name: string): MaskKey | undefined;
}

export const NO_MASK_KEYS: MaskKeys = new Map<string, MaskKey>();
