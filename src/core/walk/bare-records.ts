import { NO_CLASS } from '../plan/record-class.ts';
import type { RecordView } from '../plan/record.ts';
import type { Root } from '../roots.ts';

/** So many are asked one by one: what it takes to know the others takes longer. */
const FEW = 4;

/**
 * Whether the filters keep records without properties: `{}`, and elements that are no objects. The same goes for all of one
 * root, unless a condition reads records by their index.
 */
export class BareRecords {
  private root: Root = -1;
  private asked = 0;
  private keepsObjects: boolean | undefined;
  private keepsOthers: boolean | undefined;

  /** @returns undefined if it is not known */
  keeps(root: Root, isObject: boolean): boolean | undefined {
    if (root !== this.root) return undefined;
    return isObject ? this.keepsObjects : this.keepsOthers;
  }

  /** Takes note of what became of one. */
  note(record: RecordView, isObject: boolean, isKept: boolean): void {
    if (record.root !== this.root) this.begin(record.root);
    if (++this.asked < FEW || record.like === NO_CLASS) return;
    if (isObject) this.keepsObjects = isKept;
    else this.keepsOthers = isKept;
  }

  private begin(root: Root): void {
    this.root = root;
    this.asked = 0;
    this.keepsObjects = undefined;
    this.keepsOthers = undefined;
  }
}
