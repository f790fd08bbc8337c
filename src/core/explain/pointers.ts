import { after, firstIn, Kind, kindOf, valueOf, type JsonDocument, type Node } from '../json/document.ts';
import { jsonPointer } from '../json/pointer.ts';
import { stringAt } from '../json/text.ts';

/** A container on the way to a node, and the child of it that the way leads through. */
interface Level {
  readonly container: Node;
  readonly isObject: boolean;
  readonly stop: Node;
  /** The name of the child in an object, the child itself in an array. */
  first: Node;
  index: number;
  /** The child as a part of a pointer, with the slash; made when it is first needed. */
  token: string | undefined;
}

/**
 * Finds JSON pointers (RFC 6901) of values in a payload. Values that come in the order of the text, with those that hold
 * them before or after, cost one pass over the payload together.
 */
export class Pointers {
  private readonly doc: JsonDocument;
  private readonly payload: Node;
  private levels: Level[] = [];

  constructor(doc: JsonDocument, payload: Node) {
    this.doc = doc;
    this.payload = payload;
  }

  /** @param node the payload or a value in it */
  of(node: Node): string {
    if (node === this.payload) return '';
    this.moveTo(node);
    return this.levels.map((level) => (level.token ??= this.tokenOf(level))).join('');
  }

  private moveTo(node: Node): void {
    const { levels } = this;
    for (let top = levels.at(-1); top && !(top.container < node && node < top.stop); top = levels.at(-1))
      levels.pop();
    let level = levels.at(-1) ?? this.enter(this.payload);
    this.seek(level, node);
    for (let child = childOf(level); child !== node; child = childOf(level)) {
      level = this.enter(child);
      this.seek(level, node);
    }
  }

  private enter(container: Node): Level {
    const level: Level = {
      container,
      isObject: kindOf(this.doc, container) === Kind.object,
      stop: after(this.doc, container),
      first: firstIn(container),
      index: 0,
      token: undefined,
    };
    this.levels.push(level);
    return level;
  }

  /** Goes on to the child that is the node or holds it. */
  private seek(level: Level, node: Node): void {
    if (node < childOf(level)) this.begin(level);
    for (let end = this.endOf(level); end <= node; end = this.endOf(level)) {
      level.first = end;
      level.index++;
      level.token = undefined;
    }
  }

  private begin(level: Level): void {
    level.first = firstIn(level.container);
    level.index = 0;
    level.token = undefined;
  }

  private endOf(level: Level): Node {
    return after(this.doc, childOf(level));
  }

  private tokenOf({ isObject, first, index }: Level): string {
    return jsonPointer([isObject ? stringAt(this.doc, first) : index]);
  }
}

function childOf({ isObject, first }: Level): Node {
  return isObject ? valueOf(first) : first;
}
