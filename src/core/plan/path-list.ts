import { pathKey, type Path, type Segment } from '../paths/path.ts';
import { isOfNames, isOfNamesInRecords, PlainPaths, type NameNode } from '../paths/plain-paths.ts';
import type { Frame } from './frame.ts';

/** A path that rules are about. */
export interface PlanPath {
  readonly path: Path;
  /** From what it is read: from the record, from the payload, or from both. */
  readonly from: 'record' | 'payload' | 'both';
  /** Where it ends among the plain paths, if it is one. */
  readonly end: NameNode | undefined;
}

/** The path from a record to itself and everything in it. */
const ANYTHING_IN_RECORD: PlanPath = { path: [{ kind: 'descend' }], from: 'record', end: undefined };
/** No key of a path that a decision gives is this one. */
const ANYTHING = '*';

/** What a segment of a path takes with its readings besides its name, in bytes, roughly. */
const BYTES_PER_SEGMENT = 256;

/** The paths of a plan, each once, in the order in which rules name them. */
export class PathList {
  /** Those of names, by what they begin with. */
  readonly plain = new PlainPaths();
  private readonly frame: Frame;
  private readonly paths: PlanPath[] = [];
  private readonly notPlain: number[] = [];
  /** The places of paths that are not plain, by their keys. */
  private readonly places = new Map<string, number>();
  /** About how much it holds, in bytes. */
  size = 0;
  /** How many segments its paths have. */
  segmentCount = 0;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  get all(): readonly PlanPath[] {
    return this.paths;
  }

  at(place: number): PlanPath {
    return this.paths[place]!;
  }

  /** The places of those that are not plain. */
  get others(): readonly number[] {
    return this.notPlain;
  }

  /** The place of a path, which is added unless it is there. */
  add(path: Path): number {
    if (!isPlainPath(path, this.frame)) return this.addUnlessPlain(path);
    const end = this.plain.add(path);
    end.place ??= this.append({ path, from: 'both', end });
    return end.place;
  }

  /** The same for the path to anything in a record. */
  addAnything(): number {
    return this.addOther(ANYTHING, ANYTHING_IN_RECORD);
  }

  /** The place of a path; undefined if it is not there. */
  find(path: Path): number | undefined {
    return isPlainPath(path, this.frame) ? this.plain.find(path)?.place : this.places.get(pathKey(path));
  }

  findAnything(): number | undefined {
    return this.places.get(ANYTHING);
  }

  private addUnlessPlain(path: Path): number {
    const from = path.some(isRecord) ? 'payload' : 'both';
    const place = this.addOther(pathKey(path), { path, from, end: undefined });
    if (isOfNamesInRecords(path)) this.plain.addInRecords(path).place ??= place;
    return place;
  }

  private addOther(key: string, path: PlanPath): number {
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.append(path);
    this.places.set(key, place);
    this.notPlain.push(place);
    return place;
  }

  private append(path: PlanPath): number {
    this.segmentCount += path.path.length;
    for (const segment of path.path)
      this.size += BYTES_PER_SEGMENT + ('name' in segment ? segment.name.length : 0);
    return this.paths.push(path) - 1;
  }
}

function isRecord({ kind }: Segment): boolean {
  return kind === 'record';
}

/** Whether a path consists of names, of which the first is not that of the payload. */
function isPlainPath(path: Path, { rootWord }: Frame): boolean {
  const first = path[0];
  if (first?.kind !== 'name' || first.name === 'json' || first.name === rootWord) return false;
  return isOfNames(path);
}
