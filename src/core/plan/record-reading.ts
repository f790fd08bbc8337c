import type { Attribute, FoundValue } from '../paths/attribute.ts';
import type { Path } from '../paths/path.ts';
import type { State } from '../paths/state.ts';

/** How an attribute is read for a record: from the record, or from the payload. */
export type Reading = readonly Attribute[] | 'payload';
/** The same for the records of one root: alike for all of them, or by where the path leads at each. */
export type RootReading = Reading | ElementReadings;

export interface ElementReadings {
  /** The state at the root. */
  readonly state: State | undefined;
  /** How the records are read to which the path does not lead. */
  readonly ofOthers: Reading;
}

/** How the path of an attribute goes on at a root. */
export interface WayThrough {
  /** The state at the root. */
  readonly state: State | undefined;
  readonly isArray: boolean;
  /** Whether it depends on the element what is read of it: on its index, or on how deep it is in arrays. */
  readonly isIndexed: boolean;
  /** Whether it leads to the root's records by names, `#` and indexes. */
  readonly leadsOn: boolean;
  /** What is read of all records; nothing if it says nothing of them, or of some only. */
  readonly attributes: readonly Attribute[];
}

/** The values of an attribute: of the payload if it reads that, and of the record. */
export interface ValueParts {
  readonly ofPayload: readonly FoundValue[] | undefined;
  readonly own: readonly FoundValue[];
}

/** What is read of records. */
export interface MemberRead {
  /** The member, if that is all that is read. */
  readonly name: string | undefined;
  readonly path: Path;
}

export function isList(reading: RootReading): reading is readonly Attribute[] {
  return Array.isArray(reading);
}

/** How a root's records are read to which the path does not lead, or all of them if they are read alike. */
export function readingOfOthers(reading: RootReading): Reading {
  return reading === 'payload' || isList(reading) ? reading : reading.ofOthers;
}
