import _ from 'lodash';
import { Comparison } from '../conditions/comparison.ts';
import type { Leaf } from '../conditions/condition.ts';
import type { ElementStep, Step } from '../paths/route.ts';
import { BoundedMap, EntryLimit } from './bounded-maps.ts';
import { nextNumber, type Beginning, type Match, type Matching } from './match.ts';

/**
 * A part of a path as text, shortened to what matters of it. It is sure if the comparison holds whatever follows.
 */
interface Spelling {
  readonly key: string;
  readonly text: string;
  /** What it is compared with. */
  readonly comparison: Comparison;
  readonly isSure: boolean;
  /** How many names and elements are written, as far as that matters: none, one that is empty, or text. */
  readonly size: 0 | 1 | 2;
}

/** Paths through more arrays than this are spelt in fewer ways: a style up to some array, and another from there on. */
const MAX_MIXED = 4;

/** How many matches of a condition are kept, and how many steps between them, so that no payload fills the memory. */
const MAX_MATCHES = 4096;
const MAX_STEPS = 4096;

/** The ways to write an element: not at all, as `#`, and as its index. */
type Styles<T> = readonly [omitted: T, each: T, index: T];

/** The spellings of a part that leads through arrays. */
interface Styled {
  /** All mixes of styles. */
  readonly mixed: readonly Spelling[];
  /** Those in one style. */
  readonly same: Styles<readonly Spelling[]>;
  /** Those that have come to a style from any other. */
  readonly changed: Styles<readonly Spelling[]>;
}

/** Compares the spellings of paths with the values of a leaf (docs/enforcement.md#conditions-on-names). */
export class TextMatching implements Matching {
  private readonly comparison: Comparison;
  /** The same with those values that begin with `json`: nothing else is compared with a path that does. */
  private readonly ofJson: Comparison | undefined;
  /** By their keys ({@link keyOf}). */
  private readonly known = new Map<string, TextMatch>();
  readonly steps = new EntryLimit(MAX_STEPS);
  private readonly none = new TextMatch(this, [], 0);

  /** @param isJsonNamed whether `json` names the payload */
  constructor({ comparison, values }: Leaf, isJsonNamed: boolean) {
    const { operator, type } = comparison;
    const ofJson = isJsonNamed ? values.filter((value) => value.startsWith('json')) : [];
    this.comparison = comparison;
    if (ofJson.length > 0)
      this.ofJson =
        ofJson.length === values.length ? comparison : new Comparison(operator, type, ofJson, false);
  }

  start(at: Beginning): Match {
    const spellings = [this.spelling('', 0, this.comparison)];
    if (at === 'payload' && this.ofJson) spellings.push(this.spelling('json', 2, this.ofJson));
    return this.match(_.compact(spellings), 0);
  }

  /** The match of one spelling after a name. */
  after(before: Spelling, name: string): TextMatch {
    const next = this.appended(before, name);
    return next === undefined ? this.none : this.match([next], 0);
  }

  /** The same match for the same spellings. */
  match(plain: readonly Spelling[], arrays: number, styled?: Styled): TextMatch {
    const key = keyOf(plain, arrays, styled);
    const known = this.known.get(key);
    if (known) return known;
    const match = new TextMatch(this, plain, arrays, styled);
    if (this.known.size >= MAX_MATCHES) this.known.clear();
    this.known.set(key, match);
    return match;
  }

  /** Appends a name or element to spellings. */
  append(spellings: readonly Spelling[], piece: string | undefined): readonly Spelling[] {
    if (piece === undefined) return spellings;
    return distinct(spellings.flatMap((spelling) => this.appended(spelling, piece) ?? []));
  }

  /** The same for pieces after which all spellings go on alike, and never empty. */
  keyBehind(spellings: readonly Spelling[], piece: string): string {
    let key = ' ';
    for (const spelling of spellings) key += `${this.appended(spelling, piece)?.key ?? ''} `;
    return key;
  }

  fits({ text, comparison, size, isSure }: Spelling): boolean {
    return size === 2 && (isSure || comparison.fits(text));
  }

  /** @returns undefined if the comparison holds for nothing that begins so */
  appended({ text, comparison, size, isSure }: Spelling, piece: string): Spelling | undefined {
    const longer = size === 0 && piece === '' ? 1 : 2;
    if (isSure) return this.sureSpelling(longer, comparison);
    return this.spelling(size === 0 ? text + piece : `${text}.${piece}`, longer, comparison);
  }

  /** @returns undefined if the comparison holds for nothing that begins so */
  private spelling(text: string, size: Spelling['size'], comparison: Comparison): Spelling | undefined {
    const beginning = comparison.beginningOf(text);
    if (typeof beginning === 'boolean') return beginning ? this.sureSpelling(size, comparison) : undefined;
    const key = beginning === '' ? EMPTY[size] : size + JSON.stringify(beginning);
    return { key: this.keyFor(key, comparison), text: beginning, comparison, isSure: false, size };
  }

  private sureSpelling(size: Spelling['size'], comparison: Comparison): Spelling {
    return { key: this.keyFor(`${size}`, comparison), text: '', comparison, isSure: true, size };
  }

  private keyFor(key: string, comparison: Comparison): string {
    return comparison === this.comparison ? key : `json${key}`;
  }
}

const EMPTY = ['0""', '1""', '2""'] as const;

class TextMatch implements Match {
  readonly number = nextNumber();
  /** A text is not read as a path. */
  readonly awaitsElement = false;
  private readonly matching: TextMatching;
  /** Without arrays: all spellings. */
  private readonly plain: readonly Spelling[];
  private readonly arrays: number;
  private readonly styled: Styled | undefined;
  /** The spellings that an index is written behind, and those that a name is; known once one was asked for. */
  private beforeIndex: readonly Spelling[] | undefined;
  private beforeName: readonly Spelling[] | undefined;
  /** Where elements and names lead, by how these go on with them. */
  private readonly byIndex: BoundedMap<string, TextMatch>;
  private readonly byName: BoundedMap<string, TextMatch>;

  constructor(matching: TextMatching, plain: readonly Spelling[], arrays: number, styled?: Styled) {
    this.matching = matching;
    this.plain = plain;
    this.arrays = arrays;
    this.styled = styled;
    this.byIndex = new BoundedMap(matching.steps);
    this.byName = new BoundedMap(matching.steps);
  }

  to(step: Step): TextMatch {
    return typeof step === 'string' ? this.toName(step) : this.toElement(step);
  }

  /** An element may be left out of a text wherever it is. */
  toAbove(step: Step): TextMatch {
    return this.to(step);
  }

  atSoleElement(): TextMatch {
    return this;
  }

  atRoot(): TextMatch {
    return this;
  }

  fits(): boolean {
    const { styled, arrays, matching } = this;
    if (!styled) return this.plain.some((spelling) => matching.fits(spelling));
    const sets = arrays > MAX_MIXED ? [...styled.same, ...styled.changed] : [styled.mixed];
    return sets.some((set) => set.some((spelling) => matching.fits(spelling)));
  }

  private toName(name: string): TextMatch {
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

  private spellingsBeforeName(): readonly Spelling[] {
    const { plain, styled } = this;
    return styled ? distinct([styled.mixed, styled.same, styled.changed].flat(2)) : plain;
  }

  private behindName(name: string): TextMatch {
    const { matching, styled, arrays } = this;
    if (!styled) return matching.match(matching.append(this.plain, name), arrays);
    const append = (set: readonly Spelling[]) => matching.append(set, name);
    return matching.match([], arrays, {
      mixed: append(styled.mixed),
      same: mapStyles(styled.same, append),
      changed: mapStyles(styled.changed, append),
    });
  }

  private toElement({ index }: ElementStep): TextMatch {
    const piece = Number.isNaN(index) ? undefined : String(index);
    this.beforeIndex ??= this.spellingsBeforeIndex();
    const key = piece === undefined ? '' : this.matching.keyBehind(this.beforeIndex, piece);
    const known = this.byIndex.get(key);
    if (known) return known;
    const match = this.behindElement(piece);
    this.byIndex.set(key, match);
    return match;
  }

  private spellingsBeforeIndex(): readonly Spelling[] {
    const { plain, styled } = this;
    return styled ? distinct([styled.mixed, ...styled.same, styled.changed[2]].flat()) : plain;
  }

  /** @param index as it is written, if it matters */
  private behindElement(index: string | undefined): TextMatch {
    const { matching, plain } = this;
    const { mixed, same, changed } = this.styled ?? {
      mixed: plain,
      same: [plain, plain, plain],
      changed: NONE,
    };
    const pieces = [undefined, '#', index] as const;
    const arrays = Math.min(this.arrays + 1, MAX_MIXED + 1);
    const before = same.flat();
    const append = (set: readonly Spelling[], style: 0 | 1 | 2) => matching.append(set, pieces[style]);
    return matching.match([], arrays, {
      mixed: arrays > MAX_MIXED ? [] : distinct(pieces.flatMap((piece) => matching.append(mixed, piece))),
      same: mapStyles(same, append),
      changed: mapStyles(changed, (set, style) => append(distinct([...set, ...before]), style)),
    });
  }
}

/** The same for matches that go on alike. */
function keyOf(plain: readonly Spelling[], arrays: number, styled: Styled | undefined): string {
  const sets = styled ? [styled.mixed, ...styled.same, ...styled.changed] : [plain];
  return `${arrays}${sets.map((set) => set.map(({ key }) => key).join(' ')).join('/')}`;
}

const NONE: Styles<readonly Spelling[]> = [[], [], []];

function mapStyles<T>([omitted, each, index]: Styles<T>, map: (of: T, style: 0 | 1 | 2) => T): Styles<T> {
  return [map(omitted, 0), map(each, 1), map(index, 2)];
}

function distinct(spellings: readonly Spelling[]): readonly Spelling[] {
  if (spellings.length < 2) return spellings;
  return [...new Map(spellings.map((spelling) => [spelling.key, spelling])).values()];
}
