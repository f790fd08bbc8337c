import _ from 'lodash';
import { Automaton } from '../paths/automaton.ts';
import { withNamingRoot, type Path, type Segment } from '../paths/path.ts';
import { isOfNames, PlainPaths, type NameNode } from '../paths/plain-paths.ts';
import type { ElementStep, Step } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
import { BoundedTextMap } from './bounded-maps.ts';
import { beginsWithJson } from './frame.ts';
import { nextNumber, type Beginning, type Match, type Matching } from './match.ts';

/** How many matches of a condition are kept, so that no payload fills the memory. */
const MAX_MATCHES = 4096;

/** The end of a path stays in the elements of an array, which have the array's own path, and not in properties. */
const END: Segment = { kind: 'record', purpose: 'match' };

/** Compares paths with values, read as paths (docs/enforcement.md#conditions-on-names). */
export class PathMatching implements Matching {
  /** Those that are more than names. */
  private readonly others: readonly Path[];
  /** What follows a leading `json` in them: a path by itself, with as many names as lead to what it names. */
  private readonly behindJson: readonly Path[];
  private readonly automaton: Automaton | undefined;
  private readonly plain = new PlainPaths();
  /** The places of the others among all, and those of what follows a leading `json` in them. */
  private readonly places: readonly number[];
  /** The matches that have come to a node alone, by its number. */
  private readonly alone: PathMatch[] = [];
  /** The others, by their keys. */
  private readonly known = new BoundedTextMap<PathMatch>(MAX_MATCHES);
  private readonly none = new PathMatch(this, [], undefined);
  private readonly isJsonNamed: boolean;
  /** Where paths begin; made when it is asked for. */
  private readonly begun: Partial<Record<Beginning, PathMatch>> = {};

  /** @param isJsonNamed whether `json` names the payload */
  constructor(paths: readonly Path[], isJsonNamed: boolean) {
    this.isJsonNamed = isJsonNamed;
    const [plain, some] = _.partition([...paths.entries()], ([, path]) => isOfNames(path));
    const others = some.flatMap(([place, path]) => withNamingRoot(path).map((one) => [place, one] as const));
    const ofJson = isJsonNamed ? others.filter(([, path]) => beginsWithJson(path)) : [];
    this.others = others.map(([, path]) => [...path, END]);
    this.behindJson = ofJson.map(([, path]) => [...path.slice(1), END]);
    this.places = [...others, ...ofJson].map(([place]) => place);
    if (others.length > 0)
      this.automaton = new Automaton([...this.others, ...this.behindJson], { forgetsAtOnce: true });
    for (const [place, path] of plain) this.plain.add(path).place ??= place;
  }

  start(beginning: Beginning): PathMatch {
    return (this.begun[beginning] ??= this.begin(beginning));
  }

  private begin(beginning: Beginning): PathMatch {
    const isJson = beginning === 'payload' && this.isJsonNamed;
    const { top } = this.plain;
    const behindJson = isJson ? top.after('json') : undefined;
    const begun = this.others.flatMap(([first], number) =>
      first === END && beginning === 'prefix' ? [] : [atStart(number)],
    );
    const alsoBegun = isJson
      ? this.behindJson.map((_path, number) => atStart(this.others.length + number))
      : [];
    const all = begun.concat(alsoBegun);
    return this.match(behindJson ? [top, behindJson] : [top], this.automaton?.startOf(all));
  }

  /** The place of a path of the automaton. */
  placeOf(path: number): number {
    return this.places[path]!;
  }

  /** The same match for the same nodes and state. @param areOver whether the names that lead to the nodes ended before */
  match(nodes: readonly NameNode[], state: State | undefined, areOver = false): PathMatch {
    if (nodes.length < 2 && state === undefined && !areOver) return this.ofNames(nodes);
    const sets = state?.sets.map(({ number }) => number) ?? [];
    const key = `${areOver ? '-' : ''}${nodes.map(({ number }) => number).join(' ')}/${sets.join(' ')}`;
    return this.known.get(key) ?? this.known.set(key, new PathMatch(this, nodes, state, areOver));
  }

  /** The match of a path that consists of names. */
  private ofNames([node]: readonly NameNode[]): PathMatch {
    if (node === undefined) return this.none;
    return (this.alone[node.number] ??= new PathMatch(this, [node], undefined));
  }
}

/** How far paths have come. */
export class PathMatch implements Match {
  readonly number = nextNumber();
  private readonly matching: PathMatching;
  private readonly nodes: readonly NameNode[];
  private readonly state: State | undefined;
  private readonly areOver: boolean;

  constructor(matching: PathMatching, nodes: readonly NameNode[], state: State | undefined, areOver = false) {
    this.matching = matching;
    this.nodes = nodes;
    this.state = state;
    this.areOver = areOver;
  }

  to(step: Step): PathMatch {
    const { matching, nodes, state } = this;
    if (typeof step !== 'string') return this.toElement(step, state, this.areOver);
    return matching.match(
      nodes.flatMap((node) => node.after(step) ?? []),
      state?.memberNamed(step),
    );
  }

  toAbove(step: Step): PathMatch {
    if (typeof step === 'string') return this.to(step);
    return this.toElement(step, this.state?.withoutEnds(), this.nodes.some(isEnd));
  }

  private toElement({ index, length }: ElementStep, state: State | undefined, areOver: boolean): PathMatch {
    return this.matching.match(
      this.nodes,
      state?.element(index, () => length),
      areOver,
    );
  }

  get awaitsElement(): boolean {
    return this.state?.awaitsElement === true;
  }

  atSoleElement(): PathMatch {
    return this.awaitsElement
      ? this.matching.match(this.nodes, this.state?.atSoleElement(), this.areOver)
      : this;
  }

  atRoot(): PathMatch {
    return this.state ? this.matching.match(this.nodes, this.state.atRoot(), this.areOver) : this;
  }

  found(): readonly number[] {
    const found = new Set(this.areOver ? [] : this.nodes.flatMap(({ place }) => place ?? []));
    for (const path of this.state?.inRecord().accepts ?? []) found.add(this.matching.placeOf(path));
    return [...found];
  }

  fits(): boolean {
    if (!this.areOver && this.nodes.some(isEnd)) return true;
    return this.state !== undefined && this.state.inRecord().accepts.length > 0;
  }
}

function isEnd({ place }: NameNode): boolean {
  return place !== undefined;
}

function atStart(path: number): readonly [path: number, matched: number] {
  return [path, 0];
}
