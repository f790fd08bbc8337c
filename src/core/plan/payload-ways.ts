import { spellsName, type Path, type Segment } from '../paths/path.ts';
import { beginsWithJson, matchedByWord, type Frame } from './frame.ts';

/** A way to read a path from the payload (docs/path-syntax.md#what-a-path-is-relative-to). */
export interface PayloadWay {
  /** What is followed: a path by itself, with as many names as lead to what it names. */
  readonly path: Path;
  /** How many of its segments the payload itself matches. */
  readonly matched: number;
  /** Whether `json` or the root word is written out before it. */
  readonly isBehindName: boolean;
  /** Whether it begins with a name that may name the payload: that is no property to create. */
  readonly namesPayload: boolean;
}

type Start = Pick<PayloadWay, 'path' | 'isBehindName'>;

/** The ways to read a path from the payload: as it is, after `json`, and after the root word if the payload lacks it. */
export function waysFromPayload(path: Path, frame: Frame): readonly PayloadWay[] {
  const direct = { path, isBehindName: false };
  if (!frame.isJsonNamed || !beginsWithJson(path)) return waysFrom(direct, frame);
  const behindJson = { path: path.slice(1), isBehindName: true };
  return [{ ...direct, matched: 0, namesPayload: true }, ...waysFrom(behindJson, frame)];
}

function waysFrom(start: Start, { rootWord }: Frame): readonly PayloadWay[] {
  const words = rootWord === undefined ? [] : waysByWord(start, rootWord);
  const namesPayload = words.some(({ path }) => path.length < start.path.length);
  return [{ ...start, matched: 0, namesPayload }, ...words];
}

function waysByWord({ path, isBehindName }: Start, rootWord: string): readonly PayloadWay[] {
  const matched = matchedByWord(path, rootWord).filter((count) => count > 0);
  return matched.map((count) => {
    const word = path[count - 1];
    const isWild = path.slice(0, count).some(({ kind }) => kind === 'descend');
    if (word !== undefined && !isWild && isWrittenOut(word, rootWord))
      return { path: path.slice(count), matched: 0, isBehindName: true, namesPayload: false };
    return { path, matched: count, isBehindName, namesPayload: false };
  });
}

function isWrittenOut(segment: Segment, name: string): boolean {
  return spellsName(segment, name) || (segment.kind === 'each' && name === '#');
}
