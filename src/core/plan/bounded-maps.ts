/** How many entries some maps have together, so that no payload fills the memory; past that all are forgotten. */
export class EntryLimit {
  private readonly most: number;
  private count = 0;
  /** How many times all were forgotten. */
  forgotten = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Makes room for one more. */
  add(): void {
    if (this.count++ < this.most) return;
    this.count = 0;
    this.forgotten++;
  }
}

/** One of these maps. */
export class BoundedMap<Key, Value> {
  private readonly limit: EntryLimit;
  private readonly entries = new Map<Key, Value>();
  private forgotten = 0;

  constructor(limit: EntryLimit) {
    this.limit = limit;
  }

  get(key: Key): Value | undefined {
    if (this.forgotten !== this.limit.forgotten) this.forget();
    return this.entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.limit.add();
    if (this.forgotten !== this.limit.forgotten) this.forget();
    this.entries.set(key, value);
  }

  private forget(): void {
    this.entries.clear();
    this.forgotten = this.limit.forgotten;
  }
}
