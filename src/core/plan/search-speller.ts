import type { Relation } from '../conditions/relation.ts';
import { Occurrences } from '../paths/occurrences.ts';
import { Trie } from '../paths/trie.ts';
import type { Beginning } from './match.ts';
import type { Speller, Spelling } from './text-match.ts';

/** How rules look for texts in paths. */
export type Search = Extract<Relation, 'contains' | 'startsWith' | 'endsWith'>;

export function isSearch(relation: Relation): relation is Search {
  return relation === 'contains' || relation === 'startsWith' || relation === 'endsWith';
}

/** A part of a path, by what the sought texts make of it. */
export interface SearchSpelling extends Spelling {
  /** How far the texts have come that may go on after a dot. */
  readonly node: number;
  readonly isEmpty: boolean;
  /** Whether it begins with `json` as a name of the payload: only texts that do are then looked for. */
  readonly isJson: boolean;
  /** The texts that the last name or element completed, by their places, in order. */
  readonly found: readonly number[];
}

/** How texts go on, character by character. */
interface Reader {
  /** @returns the node after another one and one more character; {@link NOWHERE} if no text goes on so */
  step(from: number, unit: number): number;
  /** The nodes of the texts that are found when a node is met. */
  endingAt(node: number): Iterable<number>;
  /** What matters of a node after which a dot follows. */
  endOfName(node: number): number;
  /** The node of each text. */
  readonly nodes: readonly number[];
}

const NOWHERE = -1;
const DOT = '.'.charCodeAt(0);
const NONE: readonly number[] = [];

/** Spells paths as far as it matters for many texts that are looked for in one way: the time does not depend on their number. */
export class SearchSpeller implements Speller<SearchSpelling> {
  private readonly reader: Reader;
  private readonly isAtEnd: boolean;
  /** The places of the texts by their nodes. */
  private readonly places = new Map<number, number>();
  /** Whether each text begins with `json`. */
  private readonly areOfJson: readonly boolean[];

  /**
   * @param texts each of them once, and none of them empty
   * @param isJsonNamed whether `json` names the payload
   */
  constructor(search: Search, texts: readonly string[], isJsonNamed: boolean) {
    this.reader = search === 'startsWith' ? new Beginnings(texts) : new Occurrences(texts);
    this.isAtEnd = search === 'endsWith';
    for (const [place, node] of this.reader.nodes.entries()) this.places.set(node, place);
    this.areOfJson = texts.map((text) => isJsonNamed && text.startsWith('json'));
  }

  start(at: Beginning): readonly SearchSpelling[] {
    const empty = { key: 'start', node: 0, isEmpty: true, isJson: false, found: NONE };
    if (at !== 'payload' || !this.areOfJson.includes(true)) return [empty];
    const json = this.appended({ ...empty, isJson: true }, 'json');
    return json === undefined ? [empty] : [empty, json];
  }

  found({ found }: SearchSpelling): readonly number[] {
    return found;
  }

  appended({ node, isEmpty, isJson }: SearchSpelling, piece: string): SearchSpelling | undefined {
    const text = isEmpty ? piece : `.${piece}`;
    const found = new Set<number>();
    let now = node;
    for (let at = 0; at < text.length && now !== NOWHERE; at++) {
      now = this.reader.step(now, text.charCodeAt(at));
      if (!this.isAtEnd || at === text.length - 1) this.find(now, isJson, found);
    }
    const end = now === NOWHERE ? now : this.reader.endOfName(now);
    if (end === NOWHERE && found.size === 0) return undefined;
    return spelling(end, isJson, found);
  }

  private find(node: number, isJson: boolean, into: Set<number>): void {
    if (node === NOWHERE) return;
    for (const end of this.reader.endingAt(node)) {
      const place = this.places.get(end);
      if (place !== undefined && (!isJson || this.areOfJson[place] === true)) into.add(place);
    }
  }
}

function spelling(node: number, isJson: boolean, all: ReadonlySet<number>): SearchSpelling {
  const found = all.size === 0 ? NONE : [...all].toSorted((a, b) => a - b);
  return { key: `${isJson ? 'json' : ''}${node}+${found.join('+')}`, node, isEmpty: false, isJson, found };
}

/** Texts that something may begin with. */
class Beginnings implements Reader {
  private readonly trie = new Trie();
  readonly nodes: readonly number[];

  constructor(texts: readonly string[]) {
    this.nodes = texts.map((text) => this.trie.add(text));
  }

  step(from: number, unit: number): number {
    return this.trie.child(from, unit) ?? NOWHERE;
  }

  endingAt(node: number): readonly number[] {
    return this.trie.ended[node] === node ? [node] : NONE;
  }

  endOfName(node: number): number {
    return this.trie.child(node, DOT) === undefined ? NOWHERE : node;
  }
}
