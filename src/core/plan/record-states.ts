import type { JsonDocument, Node } from '../json/document.ts';
import { ElementStates } from '../paths/element-states.ts';
import type { State } from '../paths/state.ts';
import type { ElementOnWay } from './record-ways.ts';

interface Level<Note> {
  readonly array: Node;
  readonly state: State<Note>;
  readonly elements: ElementStates<Note>;
}

/** Where paths lead at records of roots, through arrays. Neighbours have the arrays in common. */
export class RecordStates<Note> {
  private readonly doc: JsonDocument;
  private readonly levels: Level<Note>[] = [];

  constructor(doc: JsonDocument) {
    this.doc = doc;
  }

  /**
   * The state at a record.
   *
   * @param start that at its root
   * @param way from there to the record
   */
  at(start: State<Note> | undefined, way: readonly ElementOnWay[]): State<Note> | undefined {
    let state = start;
    for (let depth = 0; depth < way.length && state !== undefined; depth++) {
      const { array, index } = way[depth]!;
      state = state.isIndexed ? this.levelAt(depth, array, state).elements.at(index) : state.anyElement();
    }
    return state;
  }

  private levelAt(depth: number, array: Node, state: State<Note>): Level<Note> {
    const known = this.levels[depth];
    if (known?.array === array && known.state === state) return known;
    const level = { array, state, elements: new ElementStates(state, this.doc, array) };
    this.levels[depth] = level;
    return level;
  }
}
