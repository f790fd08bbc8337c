/** How many characters texts in a map have together. */
const MAX_LENGTH = 2 ** 22;
/** What a text in a map takes with its value besides the characters, and what each of these takes, in bytes, roughly. */
const BYTES_PER_TEXT = 256;
const BYTES_PER_CHARACTER = 4;

/** How many entries some maps have together, so that no payload fills the memory; past that all are forgotten. */
export class EntryLimit {
  private readonly most: number;
  /** How many there are. */
  size = 0;
  /** How many times all were forgotten. */
  forgotten = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Makes room for one more. */
  add(): void {
    if (this.size++ < this.most) return;
    this.size = 0;
    this.forgotten++;
  }
}

/** One of these maps. */
export class BoundedMap<Key, Value> {
  private readonly limit: EntryLimit;
  /** Made with the first entry: most have none. */
  private entries: Map<Key, Value> | undefined;
  private forgotten = 0;

  constructor(limit: EntryLimit) {
    this.limit = limit;
  }

  get(key: Key): Value | undefined {
    if (this.entries === undefined) return undefined;
    if (this.forgotten !== this.limit.forgotten) this.forget();
    return this.entries?.get(key);
  }

  set(key: Key, value: Value): void {
    this.limit.add();
    if (this.forgotten !== this.limit.forgotten) this.forget();
    this.entries ??= new Map();
    this.entries.set(key, value);
  }

  private forget(): void {
    this.entries = undefined;
    this.forgotten = this.limit.forgotten;
  }
}

/** Values by texts: past so many texts, or so many characters in them, all are forgotten. */
export class BoundedTextMap<Value> {
  private readonly most: number;
  private readonly entries = new Map<string, Value>();
  private length = 0;

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.entries.size;
  }

  /** How much they take, in bytes, roughly, if the values are what the texts say. */
  get weight(): number {
    return this.entries.size * BYTES_PER_TEXT + this.length * BYTES_PER_CHARACTER;
  }

  get(text: string): Value | undefined {
    return this.entries.get(text);
  }

  /** @returns the value */
  set(text: string, value: Value): Value {
    if (this.entries.size >= this.most || this.length > MAX_LENGTH) this.forget();
    this.entries.set(text, value);
    this.length += text.length;
    return value;
  }

  private forget(): void {
    this.entries.clear();
    this.length = 0;
  }
}
