import { MAX_CLASSES, NO_CLASS, type RecordClass } from './record-class.ts';
import type { RecordView, Subject } from './record.ts';

interface Known<T> {
  readonly value: T;
  /** How many values did not read as the type that they were compared as, while that was found out. */
  readonly unreadable: number;
}

/** What is known of the classes of the payload that was asked about last. Plans outlive payloads, so it does not refer to one. */
export class ByClass<T> {
  private readonly known = new Map<RecordClass, Known<T>>();
  private subject = -1;
  /** The class that was asked for last: that of the next record is often the same. */
  private like: RecordClass = NO_CLASS;
  private latest: Known<T> | undefined;
  private readonly find: (record: RecordView) => T;

  /** @param find what is the same for all records of a class */
  constructor(find: (record: RecordView) => T) {
    this.find = find;
  }

  /** What is known of the class of a record, or found out now; of a record without a class, it is found out each time. */
  of(record: RecordView): T {
    if (record.like === NO_CLASS) return this.find(record);
    const known = this.get(record);
    if (known !== undefined) return known;
    const { unreadable } = record.subject;
    const found = this.find(record);
    this.set(record, found, unreadable);
    return found;
  }

  /** Reports what was unreadable as if the record itself were asked. */
  private get({ subject, like }: RecordView): T | undefined {
    if (subject.serial !== this.subject) this.begin(subject);
    if (like !== this.like) {
      this.latest = this.known.get(like);
      this.like = like;
    }
    const { latest } = this;
    if (latest === undefined) return undefined;
    for (let count = latest.unreadable; count > 0; count--) subject.onUnreadable();
    return latest.value;
  }

  /** @param before how many values were unreadable before the record was asked */
  private set({ subject, like }: RecordView, value: T, before: number): void {
    if (this.known.size >= MAX_CLASSES) this.known.clear();
    this.latest = { value, unreadable: subject.unreadable - before };
    this.like = like;
    this.known.set(like, this.latest);
  }

  private begin({ serial }: Subject): void {
    this.known.clear();
    this.subject = serial;
    this.like = NO_CLASS;
  }
}
