import type { Path, Segment } from '../paths/path.ts';

const RECORD: Segment = { kind: 'record' };
const JSON_MEMBER: Segment = { kind: 'name', name: 'json' };

/** What a decision's paths are relative to (enforcement §3). */
export class Scope {
  /** The root's own path, where it consists of names. */
  readonly rootNames: readonly string[];
  private readonly rootPaths: readonly Path[];

  /**
   * @param rootPath the root's own path in the payload, or the root word; empty where the root is the payload
   */
  constructor(rootPath: Path) {
    this.rootPaths = rootPath.length === 0 ? [] : [rootPath, [JSON_MEMBER, ...rootPath]];
    this.rootNames = rootPath.flatMap((segment) => (segment.kind === 'name' ? [segment.name] : []));
  }

  /**
   * A path of the decision, rewritten to begin at the root: a path of the record behind the mark for the record, one of
   * the payload as what is left of it behind the root's own path.
   *
   * @returns more than one path where the decision's may mean either
   */
  fromRoot(path: Path): readonly Path[] {
    for (const rootPath of this.rootPaths) {
      const rest = restBehind(path, rootPath);
      if (rest) return fromRootPath(rest);
    }
    return [this.below(path)];
  }

  /** A path of the record, rewritten to begin at the root. */
  below(path: Path): Path {
    return [RECORD, ...path];
  }

  /** A path of the decision as one of the record. One that names an element of the root is taken for every record. */
  inRecord(path: Path): readonly Path[] {
    return this.fromRoot(path).map(([_rootOrRecord, ...rest]) => rest);
  }
}

function fromRootPath(rest: Path): readonly Path[] {
  const [first, ...others] = rest;
  switch (first?.kind) {
    case undefined:
      return [[]];
    case 'each':
      return [[RECORD, ...others]];
    case 'any':
      return [rest, [RECORD, ...others]];
    case 'index':
    case 'slice':
    case 'union':
      return [rest];
    default:
      return [[RECORD, ...rest]];
  }
}

/**
 * What follows the root's own path in a path that begins with it. A step into an array that only one of the two writes
 * out is no difference.
 */
function restBehind(path: Path, rootPath: Path): Path | undefined {
  let at = 0;
  for (const expected of rootPath) {
    while (isEveryElement(path[at]) && !isArrayStep(expected)) at++;
    const segment = path[at];
    if (segment && (isSame(segment, expected) || (isArrayStep(expected) && isEveryElement(segment)))) at++;
    else if (segment?.kind === 'descend' && at > 0) return path.slice(at);
    else if (!isArrayStep(expected) || segment?.kind === 'index') return undefined;
  }
  return path.slice(at);
}

function isEveryElement(segment: Segment | undefined): boolean {
  return segment?.kind === 'each' || segment?.kind === 'any';
}

function isArrayStep(segment: Segment): boolean {
  return isEveryElement(segment) || segment.kind === 'index' || segment.kind === 'slice';
}

function isSame(a: Segment, b: Segment): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
