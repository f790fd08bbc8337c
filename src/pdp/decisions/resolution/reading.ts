import {
  KnownText,
  SEED,
  hashOfBytes,
  type Rules,
  type ShortenedText,
  type TextPart,
  type TextRun,
} from '../../../core/index.ts';
import { ServiceError } from '../../../errors.ts';
import { NOWHERE, type JsonPointer } from '../not-understood.ts';
import type { Found } from '../order.ts';
import type { Entry, EntryInText, KnownEntry } from './entry.ts';
import type { Added, KnownRules, Lists } from './known-rules.ts';

/** Longer entries are read each time, in bytes, and so are shorter ones. */
const MAX_KEYED = 4096;
const MIN_KEYED = 4;
/** How long the answer that was read last may be, in bytes, and how much its rules may hold besides themselves. */
const MAX_LATEST = 256 * 1024;
const MAX_HELD = 1024 * 1024;

/**
 * Reads an entry.
 *
 * @param place its place, or {@link NOWHERE}
 * @throws ServiceError `decision-not-understood`
 */
type EntryReader = (entry: Entry, place: JsonPointer) => readonly Found[];

/** Finds what was read of an entry before. */
export interface KnownEntries {
  /** @param read reads the entry if it is not known */
  find(entry: Entry, read: EntryReader): readonly Found[];
  /**
   * Keeps what was read, once all of an answer is understood.
   *
   * @returns whether all entries were known
   */
  keep(): boolean;
}

/** Knows no entry. */
export const NO_KNOWN_ENTRIES: KnownEntries = { find: readUnplaced, keep: () => false };

/** Most entries are right, and places take time: what is wrong is read again with its place. */
function readUnplaced(entry: Entry, read: EntryReader): readonly Found[] {
  try {
    return read(entry, NOWHERE);
  } catch (error) {
    if (error instanceof ServiceError) return read(entry, entry.place);
    throw error;
  }
}

/** Reads the entries of one answer. */
export class Reading implements KnownEntries {
  /** The entries that were read, with what was found; those that a placeholder stands for know it. */
  private readonly read: ReadEntry[] = [];
  /** How many entries placeholders stand for. */
  private replaced = 0;
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

  /** Another reading, under the same settings. */
  again(): Reading {
    return new Reading(this.known, this.lists);
  }

  /** An answer without what the answer before has; undefined if that is too little. */
  shorten(bytes: Uint8Array): ShortenedText<KnownEntry> | undefined {
    const { latest } = this.known;
    return latest?.lists === this.lists && bytes.length <= MAX_LATEST
      ? latest.text.shorten(bytes)
      : undefined;
  }

  /**
   * What was read of an answer without the entries of the one before.
   *
   * @returns the very same rules as before if they are the same; undefined if a placeholder stands for anything but the entry that
   *   is in the same place of the answer before
   */
  finish(bytes: Uint8Array, shortened: ShortenedText<KnownEntry>, rules: Rules): Rules | undefined {
    if (this.replaced !== shortened.count) return undefined;
    const { latest } = this.known;
    const hasAll = this.read.every(({ entry }) => entry.known) && this.replaced === latest?.text.count;
    if (latest && hasAll && latest.rules.maskShort === rules.maskShort)
      return { ...latest.rules, areKnown: true };
    this.remember(bytes, rules, latest?.held);
    return rules;
  }

  /** Remembers an answer: the next one may have much in common with it. */
  remember(bytes: Uint8Array, rules: Rules, heldBefore = 0): void {
    const held = heldBefore + (this.read[0]?.entry.text.strings.held ?? 0);
    const isSmall = bytes.length <= MAX_LATEST && held <= MAX_HELD;
    this.known.latest = isSmall
      ? { lists: this.lists, text: new KnownText(bytes, partsOf(this.read)), rules, held }
      : undefined;
  }

  find(one: Entry, read: EntryReader): readonly Found[] {
    const { inText: entry } = one;
    if (entry === undefined) {
      this.areKnown = false;
      return readUnplaced(one, read);
    }
    if (entry.list !== this.list) {
      this.list = entry.list;
      this.number = this.lists.numberOf(entry.list);
    }
    const found = entry.known ? this.takeReplaced(entry, entry.known) : this.lookUp(entry, read);
    this.read.push({ entry, list: this.number, found });
    return found;
  }

  private takeReplaced({ index }: EntryInText, run: TextRun<KnownEntry>): readonly Found[] {
    const [first] = run;
    if (first?.list !== this.number || first.of.index !== index) return [];
    this.replaced += run.length;
    if (run.length === 1) return first.of.found;
    const found: Found[] = [];
    for (const { of } of run) for (const one of of.found) found.push(one);
    return found;
  }

  private lookUp(entry: EntryInText, read: EntryReader): readonly Found[] {
    if (entry.length > MAX_KEYED || entry.length < MIN_KEYED) {
      this.areKnown = false;
      return readUnplaced(entry, read);
    }
    const list = this.number;
    const hash = hashOfBytes(entry.text.view, entry.start, entry.end, SEED ^ (list * 4099 + entry.index));
    const known = this.known.find(hash, list, entry);
    if (known) return known;
    this.areKnown = false;
    const found = readUnplaced(entry, read);
    if (this.known.comesAgain(hash)) this.added.push({ hash, list, entry, found });
    return found;
  }

  keep(): boolean {
    this.known.add(this.added);
    return this.areKnown;
  }
}

/** An entry that was read in a list, by its number. */
interface ReadEntry {
  readonly entry: EntryInText;
  readonly list: number;
  readonly found: readonly Found[];
}

/** Where entries are in their text before it was shortened, in order. */
function partsOf(read: readonly ReadEntry[]): TextRun<KnownEntry> {
  const parts: TextPart<KnownEntry>[] = [];
  for (const { entry, list, found } of read) {
    const start = entry.text.originalOf(entry.start);
    if (entry.known) addMoved(parts, entry.known, start);
    else parts.push({ start, end: start + entry.length, list, of: { index: entry.index, found } });
  }
  const isInOrder = parts.every(({ start }, at) => at === 0 || (parts[at - 1]?.end ?? 0) <= start);
  return isInOrder ? parts : parts.toSorted((a, b) => a.start - b.start);
}

/** Adds parts that begin at another byte now. */
function addMoved(parts: TextPart<KnownEntry>[], run: TextRun<KnownEntry>, start: number): void {
  const shift = start - (run[0]?.start ?? start);
  for (const part of run)
    parts.push(shift === 0 ? part : { ...part, start: part.start + shift, end: part.end + shift });
}
