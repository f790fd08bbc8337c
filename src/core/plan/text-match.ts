import type { ElementStep, Step } from '../paths/route.ts';
import { BoundedMap, BoundedTextMap, EntryLimit } from './bounded-maps.ts';
import { nextNumber, type Beginning, type Match, type Matching } from './match.ts';

/** A part of a path as text, shortened to what matters of it. */
export interface Spelling {
  /** The same for spellings that go on alike. */
  readonly key: string;
}

/** Spells paths, name after name. */
export interface Speller<S extends Spelling> {
  /** Before the first name. */
  start(at: Beginning): readonly S[];
  /** @returns undefined if nothing that begins so matters */
  appended(before: S, piece: string): S | undefined;
  /** What is found if the path ends here, by the places of the values. */
  found(spelling: S): readonly number[];
}

/** Paths through more arrays than this are spelt in fewer ways: a style up to some array, and another from there on. */
const MAX_MIXED = 4;

/** How many matches of a condition are kept, and how many steps between them, so that no payload fills the memory. */
const MAX_MATCHES = 4096;
const MAX_STEPS = 4096;

/** The ways to write an element: not at all, as `#`, and as its index. */
type Styles<T> = readonly [omitted: T, each: T, index: T];

/** The spellings of a part that leads through arrays. */
interface Styled<S> {
  /** All mixes of styles. */
  readonly mixed: readonly S[];
  /** Those in one style. */
  readonly same: Styles<readonly S[]>;
  /** Those that have come to a style from any other. */
  readonly changed: Styles<readonly S[]>;
}

/** Follows the spellings of paths (docs/enforcement.md#conditions-on-names). */
export class TextMatching<S extends Spelling> implements Matching {
  private readonly speller: Speller<S>;
  /** By their keys ({@link keyOf}). */
  private readonly known = new BoundedTextMap<TextMatch<S>>(MAX_MATCHES);
  readonly steps = new EntryLimit(MAX_STEPS);
  private readonly none = new TextMatch<S>(this, [], 0);

  constructor(speller: Speller<S>) {
    this.speller = speller;
  }

  start(at: Beginning): TextMatch<S> {
    return this.match(this.speller.start(at), 0);
  }

  /** The match of one spelling after a name. */
  after(before: S, name: string): TextMatch<S> {
    const next = this.speller.appended(before, name);
    return next === undefined ? this.none : this.match([next], 0);
  }

  /** The same match for the same spellings. */
  match(plain: readonly S[], arrays: number, styled?: Styled<S>): TextMatch<S> {
    const key = keyOf(plain, arrays, styled);
    return this.known.get(key) ?? this.known.set(key, new TextMatch(this, plain, arrays, styled));
  }

  /** Appends a name or element to spellings. */
  append(spellings: readonly S[], piece: string | undefined): readonly S[] {
    if (piece === undefined) return spellings;
    return distinct(spellings.flatMap((spelling) => this.speller.appended(spelling, piece) ?? []));
  }

  /** The same for pieces after which all spellings go on alike, and never empty. */
  keyBehind(spellings: readonly S[], piece: string): string {
    let key = ' ';
    for (const spelling of spellings) key += `${this.speller.appended(spelling, piece)?.key ?? ''} `;
    return key;
  }

  found(spelling: S): readonly number[] {
    return this.speller.found(spelling);
  }
}

/** How far the spellings of a path have come. */
export class TextMatch<S extends Spelling> implements Match {
  readonly number = nextNumber();
  /** A text is not read as a path. */
  readonly awaitsElement = false;
  private readonly matching: TextMatching<S>;
  /** Without arrays: all spellings. */
  private readonly plain: readonly S[];
  private readonly arrays: number;
  private readonly styled: Styled<S> | undefined;
  /** The spellings that an index is written behind, and those that a name is; known once one was asked for. */
  private beforeIndex: readonly S[] | undefined;
  private beforeName: readonly S[] | undefined;
  /** Where elements and names lead, by how these go on with them. */
  private readonly byIndex: BoundedMap<string, TextMatch<S>>;
  private readonly byName: BoundedMap<string, TextMatch<S>>;

  constructor(matching: TextMatching<S>, plain: readonly S[], arrays: number, styled?: Styled<S>) {
    this.matching = matching;
    this.plain = plain;
    this.arrays = arrays;
    this.styled = styled;
    this.byIndex = new BoundedMap(matching.steps);
    this.byName = new BoundedMap(matching.steps);
  }

  to(step: Step): TextMatch<S> {
    return typeof step === 'string' ? this.toName(step) : this.toElement(step);
  }

  /** An element may be left out of a text wherever it is. */
  toAbove(step: Step): TextMatch<S> {
    return this.to(step);
  }

  atSoleElement(): TextMatch<S> {
    return this;
  }

  atRoot(): TextMatch<S> {
    return this;
  }

  fits(): boolean {
    return this.endings().some((spelling) => this.matching.found(spelling).length > 0);
  }

  found(): readonly number[] {
    return [...new Set(this.endings().flatMap((spelling) => this.matching.found(spelling)))];
  }

  /** The spellings of the whole path, if it ends here. */
  private endings(): readonly S[] {
    const { styled, arrays } = this;
    if (!styled) return this.plain;
    return arrays > MAX_MIXED ? [...styled.same, ...styled.changed].flat() : styled.mixed;
  }

  private toName(name: string): TextMatch<S> {
    const { matching, plain } = this;
    const [only, ...others] = plain;
    if (!this.styled && others.length === 0) return only === undefined ? this : matching.after(only, name);
    this.beforeName ??= this.spellingsBeforeName();
    const key = matching.keyBehind(this.beforeName, name);
    const known = this.byName.get(key);
    if (known) return known;
    const match = this.behindName(name);
    this.byName.set(key, match);
    return match;
  }

  private spellingsBeforeName(): readonly S[] {
    const { plain, styled } = this;
    return styled ? distinct([styled.mixed, ...styled.same, ...styled.changed].flat()) : plain;
  }

  private behindName(name: string): TextMatch<S> {
    const { matching, styled, arrays } = this;
    if (!styled) return matching.match(matching.append(this.plain, name), arrays);
    const append = (set: readonly S[]) => matching.append(set, name);
    return matching.match([], arrays, {
      mixed: append(styled.mixed),
      same: mapStyles(styled.same, append),
      changed: mapStyles(styled.changed, append),
    });
  }

  private toElement({ index }: ElementStep): TextMatch<S> {
    const piece = Number.isNaN(index) ? undefined : String(index);
    this.beforeIndex ??= this.spellingsBeforeIndex();
    const key = piece === undefined ? '' : this.matching.keyBehind(this.beforeIndex, piece);
    const known = this.byIndex.get(key);
    if (known) return known;
    const match = this.behindElement(piece);
    this.byIndex.set(key, match);
    return match;
  }

  private spellingsBeforeIndex(): readonly S[] {
    const { plain, styled } = this;
    return styled ? distinct([styled.mixed, ...styled.same, styled.changed[2]].flat()) : plain;
  }

  /** @param index as it is written, if it matters */
  private behindElement(index: string | undefined): TextMatch<S> {
    const { matching, plain } = this;
    const { mixed, same, changed } = this.styled ?? {
      mixed: plain,
      same: [plain, plain, plain],
      changed: NONE,
    };
    const pieces = [undefined, '#', index] as const;
    const arrays = Math.min(this.arrays + 1, MAX_MIXED + 1);
    const before = same.flat();
    const append = (set: readonly S[], style: 0 | 1 | 2) => matching.append(set, pieces[style]);
    return matching.match([], arrays, {
      mixed: arrays > MAX_MIXED ? [] : distinct(pieces.flatMap((piece) => matching.append(mixed, piece))),
      same: mapStyles(same, append),
      changed: mapStyles(changed, (set, style) => append(distinct([...set, ...before]), style)),
    });
  }
}

/** The same for matches that go on alike. */
function keyOf<S extends Spelling>(
  plain: readonly S[],
  arrays: number,
  styled: Styled<S> | undefined,
): string {
  const sets = styled ? [styled.mixed, ...styled.same, ...styled.changed] : [plain];
  return `${arrays}${sets.map((set) => set.map(({ key }) => key).join(' ')).join('/')}`;
}

const NONE: Styles<readonly never[]> = [[], [], []];

function mapStyles<T>([omitted, each, index]: Styles<T>, map: (of: T, style: 0 | 1 | 2) => T): Styles<T> {
  return [map(omitted, 0), map(each, 1), map(index, 2)];
}

function distinct<S extends Spelling>(spellings: readonly S[]): readonly S[] {
  if (spellings.length < 2) return spellings;
  return [...new Map(spellings.map((spelling) => [spelling.key, spelling])).values()];
}
