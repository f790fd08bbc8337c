import type { AttributePath } from '../paths/parse.ts';
import { spellsName, type Path, type Segment } from '../paths/path.ts';
import { matchedAtPayload, type Frame } from './frame.ts';

const WILD: ReadonlySet<Segment['kind']> = new Set(['wildcard', 'descend']);
/** What may match several properties. */
const OF_MANY: ReadonlySet<Segment['kind']> = new Set(['wildcard', 'descend', 'any', 'union']);
const OF_ELEMENTS: ReadonlySet<Segment['kind']> = new Set(['index', 'each']);
/** What may mean elements of a list and nothing in them. */
const OF_ELEMENTS_ALONE: ReadonlySet<Segment['kind']> = new Set(['index', 'each', 'any', 'slice']);

/**
 * What is left of an attribute's path when some of its segments have led from the payload to a record or a root: which of
 * that is read of the record (docs/path-syntax.md#what-a-path-is-relative-to). What is left is given by how many segments are
 * matched.
 */
export class AttributeRests {
  /** How many segments may name the payload. */
  readonly atPayload: readonly number[];
  /** Those after which the rest is read there. */
  readonly ofPayload: readonly number[];
  private readonly path: Path;
  /** Whether it begins with `$`, and so at the payload. */
  readonly isJsonPath: boolean;
  private readonly hasJson: boolean;
  /** Beginnings of what names the payload: `json` before the root word, or before anything else, is no property of records. */
  private readonly excluded: readonly number[];
  /** Whether it may lead to records and to other parts of the payload. */
  readonly mayLeadElsewhere: boolean;
  /** Whether it may name elements of arrays by where they are. */
  readonly mayNameElements: boolean;
  /** So many segments do not have a wildcard yet. */
  private readonly plain: number;

  constructor({ path, isAnchored }: AttributePath, frame: Frame) {
    const [first] = path;
    this.path = path;
    this.hasJson = first?.kind === 'name' && first.name === 'json';
    this.isJsonPath = isAnchored && !this.hasJson;
    const behindJson = this.hasJson && frame.isJsonNamed ? [0, 1] : [0];
    const [start = 0] = behindJson.slice(-1);
    const { rootWord } = frame;
    const isWord = rootWord !== undefined && path[start] !== undefined && spellsName(path[start], rootWord);
    this.excluded = isWord ? behindJson : behindJson.slice(0, -1);
    this.mayLeadElsewhere = isAnchored && path.some(({ kind }) => OF_MANY.has(kind));
    this.mayNameElements = path.some(mayBeIndex);
    const wild = path.findIndex(isWildcard);
    this.plain = wild < 0 ? path.length : wild;
    this.atPayload = matchedAtPayload(path, frame);
    this.ofPayload = this.atPayload.filter((matched) => this.isReadAtPayload(matched));
  }

  /** Whether {@link leadsOn} may say so at all. */
  get mayLeadOn(): boolean {
    return this.plain > 0;
  }

  /** Which of what is left at a record says something of the record. */
  among(left: readonly number[]): readonly number[] {
    return left.filter((matched) => matched < this.path.length && !this.excluded.includes(matched));
  }

  /**
   * What is read of a record: a path that got there by names means nothing else, one that got there by wildcards may be the
   * record's own as well, and so is one that begins with `json` if the record has a property of that name.
   */
  readOf(left: readonly number[]): readonly number[] {
    if (this.isJsonPath) return left;
    const within = left.filter((matched) => matched > 0);
    const isWild = within.every((matched) => this.isWild(matched));
    return isWild || this.hasJson ? [...new Set([0, ...left])] : within;
  }

  /** Whether a path that has come to a root goes by names, `#` and indexes to its records: to these, and to no others. */
  leadsOn(matched: number, isArray: boolean): boolean {
    const { path } = this;
    if (this.excluded.includes(matched) || this.isWild(matched)) return false;
    const rest = path.slice(matched);
    if (rest.every(isOfElements) && !mayEndInRecord(rest)) return false;
    return matched > 0 || this.isJsonPath || (isArray && OF_ELEMENTS.has(path[0]?.kind ?? 'name'));
  }

  /** A wildcard on the way does not name the payload itself. */
  private isReadAtPayload(matched: number): boolean {
    return !this.excluded.includes(matched) && (matched < this.path.length || !this.isWild(matched));
  }

  private isWild(matched: number): boolean {
    return matched > this.plain;
  }
}

/** `[*]` is none: it is written for a list. */
function isWildcard(segment: Segment): boolean {
  return WILD.has(segment.kind) || (segment.kind === 'any' && !segment.isOfList);
}

function mayBeIndex(segment: Segment): boolean {
  if (segment.kind === 'union') return segment.of.some(mayBeIndex);
  return segment.kind === 'index' || segment.kind === 'slice';
}

function isOfElements(segment: Segment): boolean {
  return segment.kind === 'union' ? segment.of.every(isOfElements) : OF_ELEMENTS_ALONE.has(segment.kind);
}

/** Digits after an element may be a property of it. */
function mayEndInRecord(rest: Path): boolean {
  return rest.length > 1 && rest.at(-1)?.kind === 'index';
}
