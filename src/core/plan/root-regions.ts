import _ from 'lodash';
import { after, type JsonDocument, type Node } from '../json/document.ts';
import { hasRecords } from '../records.ts';
import { NO_STEP, type Root, type RootList } from '../roots.ts';

/** The parts of a payload that its roots are in: a root, or the array of which it is an element. */
export class RootRegions {
  private readonly starts: Node[] = [];
  private readonly ends: Node[] = [];
  /** Whether all of the payload is in one. */
  readonly areAll: boolean;

  constructor(doc: JsonDocument, payload: Node, roots: RootList) {
    for (let root = 0; root < roots.length; root++) {
      if (!hasRecords(doc, roots.nodeOf(root))) continue;
      const region = regionOf(root, roots);
      if (region < (this.ends.at(-1) ?? 0)) continue;
      this.starts.push(region);
      this.ends.push(after(doc, region));
    }
    this.areAll = this.starts[0] === payload;
  }

  /** Whether a value is in one of them. */
  hold(node: Node): boolean {
    const before = _.sortedLastIndex(this.starts, node);
    return before > 0 && node < this.ends[before - 1]!;
  }
}

function regionOf(root: Root, roots: RootList): Node {
  let region = roots.nodeOf(root);
  for (let step = roots.stepTo(root); step !== NO_STEP; step = roots.before(step)) {
    if (roots.nameIn(step) !== undefined) break;
    region = roots.containerOf(step);
  }
  return region;
}
