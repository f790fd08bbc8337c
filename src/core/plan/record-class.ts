/** A number for records that are alike; never used again for others. */
export type RecordClass = number;
/** Of records of which it is not known which others are like them. */
export const NO_CLASS: RecordClass = -1;

/** How many classes, and how many parts by their texts, of the records of one scope are known at a time. */
export const MAX_CLASSES = 4096;

/** What records have in common whose names and kinds of values are the same. */
export interface RecordLikeness {
  /** The scope in which conditions read nothing of these records, by its number. */
  unreadIn: number;
}

let classes = 0;

/** A class that no records had before. */
export function newClass(): RecordClass {
  return classes++;
}

/** A class of records, and those that have one more part. */
export class ClassNode {
  readonly number: RecordClass = newClass();
  /** The part that was met last after this one: that of the next record is often the same. */
  private part: number | undefined;
  private next: ClassNode | undefined;
  private others: Map<number, ClassNode> | undefined;

  after(part: number): ClassNode | undefined {
    if (part === this.part) return this.next;
    const known = this.others?.get(part);
    if (known) this.begin(part, known);
    return known;
  }

  /** @param part that has no class yet */
  add(part: number): ClassNode {
    const added = new ClassNode();
    if (this.part !== undefined) this.others ??= new Map();
    this.begin(part, added);
    return added;
  }

  private begin(part: number, next: ClassNode): void {
    if (this.part !== undefined && this.next) this.others?.set(this.part, this.next);
    this.part = part;
    this.next = next;
  }

  clear(): void {
    this.part = undefined;
    this.next = undefined;
    this.others = undefined;
  }
}
