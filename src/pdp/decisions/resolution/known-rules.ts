import type { MaskKeys } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import type { Entry } from './entry.ts';
import type { Found } from '../order.ts';

/** How long the keys of the entries of one generation may be together, in characters: what was read takes several times as much. */
const MAX_GENERATION = 1024 * 1024;
/** For how many settings entries are kept. */
const MAX_SETTINGS = 64;

/** Finds what was read of an entry before. */
export interface KnownEntries {
  /** @param read reads the entry if it is not known */
  find(entry: Entry, read: () => readonly Found[]): readonly Found[];
}

/** Knows no entry. */
export const NO_KNOWN_ENTRIES: KnownEntries = { find: (_entry, read) => read() };

/**
 * Keeps the rules of entries, because decisions repeat the rules of others: those of two users differ in few values. An entry is
 * known by its bytes, its place in the answer and all that it is read with, so no entry is ever taken for another.
 *
 * What was not met while as much was read as may be kept is forgotten.
 */
export class KnownRules {
  private readonly settings = new Map<string, string>();
  private keys: MaskKeys | undefined;
  private count = 0;
  private current = new Map<string, readonly Found[]>();
  private previous: ReadonlyMap<string, readonly Found[]> = new Map();
  /** The characters of the current keys. */
  private size = 0;

  /** The entries that were read under some settings. */
  under(settings: DecisionSettings, keys: MaskKeys): KnownEntries {
    if (keys !== this.keys || this.settings.size > MAX_SETTINGS) this.forget(keys);
    const {
      assetType,
      attrName = null,
      object = null,
      filter,
      filterDefault,
      protectedObject = null,
    } = settings;
    const all: Readonly<Record<keyof DecisionSettings, unknown>> = {
      assetType,
      attrName,
      object,
      filter,
      filterDefault,
      protectedObject,
    };
    const described = JSON.stringify(all);
    const number = this.settings.get(described) ?? `${this.count++}`;
    this.settings.set(described, number);
    return {
      find: ({ key }, read) => (key === undefined ? read() : this.find(`${number} ${key}`, read)),
    };
  }

  private find(key: string, read: () => readonly Found[]): readonly Found[] {
    const known = this.current.get(key);
    if (known) return known;
    const found = this.previous.get(key) ?? read();
    this.current.set(key, found);
    this.size += key.length;
    if (this.size > MAX_GENERATION) this.age();
    return found;
  }

  private age(): void {
    this.previous = this.current;
    this.current = new Map();
    this.size = 0;
  }

  private forget(keys: MaskKeys): void {
    this.keys = keys;
    this.settings.clear();
    this.age();
    this.age();
  }
}
