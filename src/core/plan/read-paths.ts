import { withNamingRoot, type Path, type Segment } from '../paths/path.ts';
import { isOfNamesInRecords } from '../paths/plain-paths.ts';
import { beginsWithJson, type Frame } from './frame.ts';
import type { PlanPath } from './path-list.ts';
import { waysFromPayload } from './payload-ways.ts';

/** How a path begins that is read from records: it matches what is there, or creates what is missing. */
const RECORD: Segment = { kind: 'record', purpose: 'match' };
const RECORD_TO_CREATE_IN: Segment = { kind: 'record', purpose: 'create' };

/** A path in one of its readings, as it is followed (docs/path-syntax.md). */
export interface ReadPath {
  readonly path: Path;
  /** The place of the path among those of the plan. */
  readonly place: number;
  /** How many of its segments the payload itself matches; undefined if it begins at records. */
  readonly matched: number | undefined;
  /** Whether it creates what is missing. */
  readonly creates: boolean;
  /** Whether `json` or the root word is written out before it. */
  readonly isBehindName: boolean;
  /** Whether it begins with a name for the payload: that is no property to create. */
  readonly namesPayload: boolean;
  /** Whether it begins with `json` at records: it creates something in records alone that have a property of that name. */
  readonly isOfOwnJson: boolean;
  /** How many of its segments have to be matched at a record, for it to be followed in there. */
  readonly matchedAtRecords: number;
  /** Whether it leads to records, and creates something in these alone. */
  readonly leadsToRecords: boolean;
}

/** How paths are read. */
export interface ReadOptions {
  /** Whether rules create missing values. */
  readonly creates: boolean;
  readonly frame: Frame;
  /** Whether those of names are read as all others. */
  readonly isApart: boolean;
}

/** All readings of a path of the plan, in the order in which they are followed. */
export function readingsOf(plan: PlanPath, place: number, options: ReadOptions): readonly ReadPath[] {
  return [
    ...(plan.from === 'payload' ? [] : fromRecords(plan, place, options)),
    ...(plan.from === 'both' ? fromPayload(plan.path, place, options) : []),
    ...(plan.from === 'payload' ? toRecords(plan.path, place, options) : []),
  ];
}

function fromRecords(
  { path, from }: PlanPath,
  place: number,
  { creates, frame, isApart }: ReadOptions,
): readonly ReadPath[] {
  const isRead = isApart || !isOfNamesInRecords(path);
  const matching = isRead ? withNamingRoot(path) : [];
  const readings = matching.map((one) => reading(place, { path: [RECORD, ...one] }));
  if (!creates || from === 'record') return readings;
  const isOfOwnJson = frame.isJsonNamed && beginsWithJson(path);
  return [...readings, reading(place, { path: [RECORD_TO_CREATE_IN, ...path], creates, isOfOwnJson })];
}

function fromPayload(path: Path, place: number, { creates, frame }: ReadOptions): readonly ReadPath[] {
  const [, naming] = withNamingRoot(path);
  const ofNaming = naming ? waysFromPayload(naming, frame) : [];
  const matching = ofNaming.map((way) => reading(place, way, { namesPayload: false }));
  const readings = waysFromPayload(path, frame).flatMap((way): readonly ReadPath[] => {
    if (!creates || !way.namesPayload) return [reading(place, way, { creates })];
    // In a record, what begins with a name for the payload is only the path of a property that is there.
    return [reading(place, way, { creates, matchedAtRecords: 1 }), reading(place, way)];
  });
  return [...matching, ...readings];
}

/** Of a path that leads from the payload to records, and on to what is missing there. */
function toRecords(path: Path, place: number, { creates, frame }: ReadOptions): readonly ReadPath[] {
  const creating = waysFromPayload(path, frame).map((way) => {
    const matchedAtRecords = placeOfRecords(way.path);
    return reading(place, way, { creates, matchedAtRecords, leadsToRecords: true });
  });
  // What leads to a root from the payload creates nothing from its records on.
  const inRecords = path.slice(placeOfRecords(path) + 1);
  const leading = waysFromPayload(inRecords, frame).map((way) =>
    reading(place, way, { matchedAtRecords: inRecords.length + 1 }),
  );
  return [...creating, ...leading];
}

function placeOfRecords(path: Path): number {
  return path.findIndex(({ kind }) => kind === 'record');
}

/** From records, creating nothing, unless more is given. */
function reading(
  place: number,
  way: Partial<ReadPath> & Pick<ReadPath, 'path'>,
  more: Partial<ReadPath> = {},
): ReadPath {
  return {
    place,
    matched: undefined,
    creates: false,
    isBehindName: false,
    namesPayload: false,
    isOfOwnJson: false,
    matchedAtRecords: 0,
    leadsToRecords: false,
    ...way,
    ...more,
  };
}
