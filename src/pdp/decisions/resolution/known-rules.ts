import _ from 'lodash';
import { SEED, areSameBytes, hashOfBytes, RecentHashes, viewOf, type MaskKeys } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import type { Entry, EntryInText } from './entry.ts';
import type { JsonPointer } from '../not-understood.ts';
import type { Found } from '../order.ts';

/** How much the entries of one generation may take up in their texts, in bytes: what was read takes several times as much. */
const MAX_GENERATION = 1024 * 1024;
/** For how many settings entries are kept, and in how many lists of answers. */
const MAX_SETTINGS = 64;
const MAX_LISTS = 1024;
/** Longer entries are read each time, in bytes, and so are shorter ones. */
const MAX_KEYED = 4096;
const MIN_KEYED = 4;

/** How many entries are remembered to have been read once: they are kept when they come again. */
const MAX_RECENT = 2 ** 15;

/** Finds what was read of an entry before. */
export interface KnownEntries {
  /** @param read reads the entry if it is not known */
  find(entry: Entry, read: () => readonly Found[]): readonly Found[];
  /**
   * Keeps what was read, once all of an answer is understood.
   *
   * @returns whether all entries were known
   */
  keep(): boolean;
}

/** Knows no entry. */
export const NO_KNOWN_ENTRIES: KnownEntries = { find: (_entry, read) => read(), keep: () => false };

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
interface Added {
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
  private keys: MaskKeys | undefined;
  private current = new Map<number, Known>();
  private previous: ReadonlyMap<number, Known> = new Map();
  /** What the current ones hold, in bytes. */
  private size = 0;
  /** The entries that were read lately. */
  private readonly recent = new RecentHashes(MAX_RECENT);

  /** The entries that were read under some settings. */
  under(settings: DecisionSettings, keys: MaskKeys): KnownEntries {
    if (keys !== this.keys || this.settings.size > MAX_SETTINGS) this.forget(keys);
    const described = descriptionOf(settings);
    const lists = this.settings.get(described) ?? new Lists();
    this.settings.set(described, lists);
    return new Reading(this, lists);
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
    this.settings.clear();
    this.age();
    this.age();
  }
}

/** Numbers lists of entries: the same list of answers that are read under the same settings. */
class Lists {
  private readonly numbers = new Map<string, number>();

  numberOf(list: JsonPointer): number {
    const key = list.join('/');
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.numbers.size >= MAX_LISTS) this.numbers.clear();
    const number = lists++;
    this.numbers.set(key, number);
    return number;
  }
}
let lists = 0;

/** Reads the entries of one answer. */
class Reading implements KnownEntries {
  private readonly known: KnownRules;
  private readonly lists: Lists;
  private readonly added: Added[] = [];
  /** The list of the last entry. */
  private list: JsonPointer | undefined;
  private number = 0;
  private areKnown = true;

  constructor(known: KnownRules, ofSettings: Lists) {
    this.known = known;
    this.lists = ofSettings;
  }

  find({ inText: entry }: Entry, read: () => readonly Found[]): readonly Found[] {
    if (entry === undefined || entry.length > MAX_KEYED || entry.length < MIN_KEYED) {
      this.areKnown = false;
      return read();
    }
    if (entry.list !== this.list) {
      this.list = entry.list;
      this.number = this.lists.numberOf(entry.list);
    }
    const list = this.number;
    const hash = hashOfBytes(entry.text.view, entry.start, entry.end, SEED ^ (list * 4099 + entry.index));
    const known = this.known.find(hash, list, entry);
    if (known) return known;
    this.areKnown = false;
    const found = read();
    if (this.known.comesAgain(hash)) this.added.push({ hash, list, entry, found });
    return found;
  }

  keep(): boolean {
    this.known.add(this.added);
    return this.areKnown;
  }
}

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
