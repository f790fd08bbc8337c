import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Pointers } from '../../src/core/explain/pointers.ts';
import {
  after,
  firstIn,
  Kind,
  kindOf,
  TOP,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
import { jsonPointer } from '../../src/core/json/pointer.ts';
import { stringAt } from '../../src/core/json/text.ts';

type Steps = readonly (string | number)[];
type Place = readonly [node: Node, pointer: string];

/** Every value of a document with its pointer. */
function placesIn(doc: JsonDocument, node: Node = TOP, at: Steps = []): Place[] {
  const own: Place = [node, jsonPointer(at)];
  return [own, ...childrenOf(doc, node).flatMap(([step, child]) => placesIn(doc, child, [...at, step]))];
}

function childrenOf(doc: JsonDocument, node: Node): [step: string | number, child: Node][] {
  const kind = kindOf(doc, node);
  const children: [string | number, Node][] = [];
  if (kind !== Kind.object && kind !== Kind.array) return children;
  for (let first = firstIn(node), end = first; first < after(doc, node); first = end) {
    const child = kind === Kind.object ? valueOf(first) : first;
    children.push([kind === Kind.object ? stringAt(doc, first) : children.length, child]);
    end = after(doc, child);
  }
  return children;
}

const payloads = fc.json({ maxDepth: 4 }).map((text) => scan(Buffer.from(text), 16));
const asked = payloads.chain((doc) =>
  fc.record({ doc: fc.constant(doc), places: fc.shuffledSubarray(placesIn(doc)) }),
);

test('the pointer of each value leads to it, whatever the order in which they are asked for', () => {
  const leads = fc.property(asked, ({ doc, places }) => {
    const pointers = new Pointers(doc, TOP);
    expect(places.map(([node]) => pointers.of(node))).toEqual(places.map(([, pointer]) => pointer));
  });
  fc.assert(leads, { numRuns: 1000, seed: 11 });
});
