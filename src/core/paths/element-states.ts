import type { JsonDocument, Node } from '../json/document.ts';
import { lengthOf } from '../json/length.ts';
import type { ElementClasses, State } from './state.ts';

/** Where the elements of one array lead if their indexes matter, asked for in order. */
export class ElementStates<Note> {
  private readonly state: State<Note>;
  private readonly length: () => number;
  private readonly classes: ElementClasses;

  constructor(state: State<Note>, doc: JsonDocument, array: Node) {
    this.state = state;
    this.length = lengthOf(doc, array);
    this.classes = state.classesIn(this.length);
  }

  at(index: number): State<Note> | undefined {
    return this.state.elementOf(this.classes.at(index), index, this.length);
  }
}
