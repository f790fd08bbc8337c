import type { ArrayClasses, IndexClasses } from './index-classes.ts';
import { MAX_SETS, UNSORTED } from './selection-sets.ts';

/** What a joined class takes, in bytes, about. */
const BYTES_PER_CLASS = 40;

/** Sorts the elements of arrays by the classes that they have among several sorts of classes. */
export class JoinedClasses {
  private readonly sorts: readonly IndexClasses[];
  /** By a class of the first sorts and one of the next. */
  private readonly joined = new Map<number, number>();

  constructor(sorts: readonly IndexClasses[]) {
    this.sorts = sorts;
  }

  get weight(): number {
    return this.joined.size * BYTES_PER_CLASS;
  }

  inArray(length: () => number): JoinedArrayClasses {
    return new JoinedArrayClasses(
      this,
      this.sorts.map((sort) => sort.inArray(length)),
    );
  }

  /** The class of one element of an array. */
  classOf(index: number, length: () => number): number {
    let like = 0;
    for (const sort of this.sorts) like = this.with(like, sort.classOf(index, length));
    return like;
  }

  /** The class of elements that have both classes. */
  with(before: number, like: number): number {
    if (before === UNSORTED || like === UNSORTED) return UNSORTED;
    if (before === 0 && like === 0) return 0;
    const key = before * MAX_SETS + like;
    const known = this.joined.get(key);
    if (known !== undefined) return known;
    if (this.joined.size === MAX_SETS) return UNSORTED;
    this.joined.set(key, this.joined.size + 1);
    return this.joined.size;
  }
}

/** The same of the elements of one array. */
class JoinedArrayClasses {
  private readonly joined: JoinedClasses;
  private readonly sorts: readonly ArrayClasses[];

  constructor(joined: JoinedClasses, sorts: readonly ArrayClasses[]) {
    this.joined = joined;
    this.sorts = sorts;
  }

  at(index: number): number {
    let like = 0;
    for (const sort of this.sorts) like = this.joined.with(like, sort.at(index));
    return like;
  }
}
