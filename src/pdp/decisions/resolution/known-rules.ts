import _ from 'lodash';
import {
  RecentHashes,
  areSameBytes,
  viewOf,
  type KnownText,
  type MaskKeys,
  type Rules,
} from '../../../core/index.ts';
import { areReadAlike, type DecisionSettings } from '../../../enforcement/index.ts';
import type { EntryInText, KnownEntry } from './entry.ts';
import type { JsonPointer } from '../not-understood.ts';
import type { Found } from '../order.ts';
import { Reading } from './reading.ts';

/** How much the entries of one generation may take up in their texts, in bytes: what was read takes several times as much. */
const MAX_GENERATION = 1024 * 1024;
/** For how many settings entries are kept, and in how many lists of answers. */
const MAX_SETTINGS = 64;
const MAX_LISTS = 1024;
/** Longer settings are not kept, in characters: requests choose some of them. */
const MAX_DESCRIPTION = 4096;
/** How many entries are remembered to have been read once: they are kept when they come again. */
const MAX_RECENT = 2 ** 15;

/** The answer that was read last. */
interface Latest {
  /** The settings that it was read under. */
  readonly lists: Lists;
  readonly text: KnownText<KnownEntry>;
  readonly rules: Rules;
  /** How much its rules may hold besides themselves: texts that they are from, in bytes. */
  readonly held: number;
}

/** What was read of one entry. */
interface Known {
  /** The list that it is in, under some settings, and its place there. */
  readonly list: number;
  readonly index: number;
  /** A copy of the bytes of all entries that were read with it. */
  readonly view: DataView;
  readonly start: number;
  readonly length: number;
  readonly found: readonly Found[];
}

/** What was read of an entry, and is to be kept. */
export interface Added {
  readonly hash: number;
  readonly list: number;
  readonly entry: EntryInText;
  readonly found: readonly Found[];
}

/**
 * Keeps the rules of entries, because decisions repeat the rules of others: those of two users differ in few values. An entry is
 * known by its bytes, its place in the answer and all that it is read with. All of that is compared, so no entry is ever taken
 * for another.
 *
 * What comes once is not kept, and what was not met while as much was read as may be kept is forgotten.
 */
export class KnownRules {
  private readonly settings = new Map<string, Lists>();
  /** The settings of the answer before: those of the next are most often the same, and comparing them is cheaper than describing them. */
  private used: { readonly settings: DecisionSettings; readonly lists: Lists } | undefined;
  private keys: MaskKeys | undefined;
  private current = new Map<number, Known>();
  private previous: ReadonlyMap<number, Known> = new Map();
  /** What the current ones hold, in bytes. */
  private size = 0;
  /** The entries that were read lately. */
  private readonly recent = new RecentHashes(MAX_RECENT);
  /** The answer that was read last, if another may be compared with it. */
  latest: Latest | undefined;

  /** The entries that were read under some settings. */
  under(settings: DecisionSettings, keys: MaskKeys): Reading {
    if (keys !== this.keys || this.settings.size > MAX_SETTINGS) this.forget(keys);
    if (this.used === undefined || !areReadAlike(this.used.settings, settings))
      this.used = { settings, lists: this.listsUnder(settings) };
    return new Reading(this, this.used.lists);
  }

  private listsUnder(settings: DecisionSettings): Lists {
    const described = descriptionOf(settings);
    const lists = this.settings.get(described) ?? new Lists();
    if (described.length <= MAX_DESCRIPTION) this.settings.set(described, lists);
    return lists;
  }

  find(hash: number, list: number, entry: EntryInText): readonly Found[] | undefined {
    const current = this.current.get(hash);
    if (current && isSame(current, list, entry)) return current.found;
    const previous = this.previous.get(hash);
    if (!previous || !isSame(previous, list, entry)) return undefined;
    this.current.set(hash, previous);
    this.grow(previous.length);
    return previous.found;
  }

  /** Whether an entry is worth keeping: it was read before. */
  comesAgain(hash: number): boolean {
    return this.recent.meet(hash);
  }

  /** Keeps what was read of entries of one text. */
  add(all: readonly Added[]): void {
    const [first] = all;
    if (first === undefined) return;
    const bytes = Buffer.allocUnsafeSlow(_.sumBy(all, ({ entry }) => entry.length));
    const view = viewOf(bytes);
    let start = 0;
    for (const { hash, list, entry, found } of all) {
      const { length, index } = entry;
      entry.text.doc.bytes.copy(bytes, start, entry.start, entry.end);
      this.current.set(hash, { list, index, view, start, length, found });
      start += length;
    }
    this.grow(start + first.entry.text.strings.held);
  }

  private grow(bytes: number): void {
    this.size += bytes;
    if (this.size > MAX_GENERATION) this.age();
  }

  private age(): void {
    this.previous = this.current;
    this.current = new Map();
    this.size = 0;
  }

  private forget(keys: MaskKeys): void {
    this.keys = keys;
    this.latest = undefined;
    this.used = undefined;
    this.settings.clear();
    this.age();
    this.age();
  }
}

/** Numbers lists of entries: the same list of answers that are read under the same settings. */
export class Lists {
  private readonly numbers = new Map<string, number>();

  numberOf(list: JsonPointer): number {
    let key = '';
    for (const part of list) key += `/${part}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.numbers.size >= MAX_LISTS) this.numbers.clear();
    const number = lists++;
    this.numbers.set(key, number);
    return number;
  }
}
let lists = 0;

function isSame(known: Known, list: number, { index, length, start, text }: EntryInText): boolean {
  return (
    known.length === length &&
    known.index === index &&
    known.list === list &&
    areSameBytes(known.view, known.start, text.view, start, length)
  );
}

function descriptionOf(settings: DecisionSettings): string {
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
  return JSON.stringify(all);
}
