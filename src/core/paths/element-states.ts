import type { JsonDocument, Node } from '../json/document.ts';
import { UNSORTED, type ArrayClasses } from './index-classes.ts';
import { lengthOf } from '../json/length.ts';
import type { State } from './state.ts';

/** How many elements an array must have before sorting them into classes pays. */
const FEW = 64;

/** Where the elements of one array lead if their indexes matter, asked for in order. */
export class ElementStates<Note> {
  private readonly state: State<Note>;
  private readonly length: () => number;
  private classes: ArrayClasses | undefined;

  constructor(state: State<Note>, doc: JsonDocument, array: Node) {
    this.state = state;
    this.length = lengthOf(doc, array);
  }

  at(index: number): State<Note> | undefined {
    const { state, length } = this;
    if (index < FEW) return state.element(index, length);
    this.classes ??= state.indexClasses.inArray(length);
    const like = this.classes.at(index);
    return like === UNSORTED ? state.element(index, length) : state.elementOf(like, index, length);
  }
}
