import _ from 'lodash';
import type { Condition } from '../conditions/condition.ts';
import type { Step } from '../paths/route.ts';
import { BoundedMap, BoundedTextMap, EntryLimit } from './bounded-maps.ts';
import type { Beginning, Match, Matching } from './match.ts';
import type { Naming, Occupant, Split, Splits } from './naming.ts';
import { behindWord, isAboveWord, isAtPayload, type Way } from './root-word.ts';
import type { Left, RuleTrail, RuleTrails } from './rule-trail.ts';

/** What leaves make of a path that begins at one place. */
interface Begun {
  readonly names: readonly Match[];
  readonly prefixes: readonly Match[];
}

/** A place at which paths were split: whether each leaf on the prefix covers it, and how far the names have come from there. */
interface Parted {
  readonly prefixes: readonly boolean[];
  readonly names: readonly Match[];
  /** Whether it is above the record: the name then leads through the root. */
  readonly isAbove: boolean;
}

/** The same at the end of the names: whether they name the property. */
interface Before extends Omit<Parted, 'names'> {
  readonly names: readonly boolean[];
}

/** What a trail consists of. */
interface Course extends Way {
  /** Paths from the payload, with and without the root word. */
  readonly fromPayload: readonly Begun[];
  readonly fromRecord: Begun | undefined;
  readonly parted: readonly Parted[];
  readonly anyPrefix: readonly boolean[];
  /** Whether it leads to a root or into one. */
  readonly isInRoot: boolean;
  /** Whether it leads to a record or into one. */
  readonly isInRecord: boolean;
  /** Whether it leads to an object that has no property named `#`, as far as that matters for paths that begin there. */
  readonly isSoleElement: boolean;
}

/** How many trails of a condition are kept, and how many steps between them, so that no payload fills the memory. */
const MAX_TRAILS = 4096;
const MAX_STEPS = 4096;
/** What a condition takes that is followed, and a trail with what it matches, in bytes, roughly. */
export const BYTES_PER_CONDITION = 16 * 1024;
export const BYTES_PER_TRAIL = 1600;
/** For how many outcomes it is kept what is left of a condition. */
const MAX_DECIDED = 1024;

/**
 * Follows what one condition says of names along the way to a property, so that a step costs the same however deep the
 * property is. Ways that make no difference to the condition share a trail.
 */
export class Trails implements RuleTrails {
  readonly naming: Naming;
  /** Whether a name that begins after a prefix may begin with `#`. */
  readonly mayBeginAtSoleElement: boolean;
  private readonly known = new BoundedTextMap<Trail>(MAX_TRAILS);
  private count = 0;
  private readonly decided = new BoundedTextMap<Condition>(MAX_DECIDED);
  readonly steps = new EntryLimit(MAX_STEPS);

  constructor(naming: Naming) {
    this.naming = naming;
    this.mayBeginAtSoleElement = naming.prefixes.length > 0 && anyAwaits(started(naming.names, 'prefix'));
  }

  /** How much those that are kept take, in bytes, roughly. */
  get weight(): number {
    return BYTES_PER_CONDITION + this.known.size * BYTES_PER_TRAIL;
  }

  /** The trail at what the root word names or, without one, at the payload. */
  top(): Trail {
    const course: Course = {
      length: 0,
      fromPayload: [this.begin('payload')],
      fromRecord: undefined,
      parted: [],
      anyPrefix: this.naming.prefixes.map(() => false),
      isInRoot: false,
      isInRecord: false,
      isSoleElement: false,
    };
    return behindWord(this.trail(course), this.naming.frame);
  }

  /** What is left of the condition for a property: the same for ways to read its path of which the leaves say the same. */
  decide(splits: Splits, occupant: Occupant): Condition {
    const key = `${occupant}${bits(splits.anyPrefix)}${[splits.whole, ...splits.parts].map(verdictOf).join('')}`;
    return this.decided.get(key) ?? this.decided.set(key, this.naming.decide(splits, occupant));
  }

  begin(at: Beginning): Begun {
    const { names, prefixes } = this.naming;
    return { names: started(names, at), prefixes: started(prefixes, at) };
  }

  /** The same trail for the same course. */
  trail(course: Course): Trail {
    const key = keyOf(course);
    return this.known.get(key) ?? this.known.set(key, new Trail(this, course, this.count++));
  }
}

/** How far a condition has come on the way to a property. */
export class Trail implements RuleTrail {
  readonly number: number;
  private readonly trails: Trails;
  private readonly course: Course;
  private readonly decided: Partial<Record<Occupant, Left>> = {};
  private readonly next: BoundedMap<Step, Trail>;
  /** What decides where a step leads; known once one was taken. */
  private followed: readonly Match[] | undefined;
  /** Where steps lead, by how far the leaves have come with them. */
  private readonly byMatches: BoundedMap<string, Trail>;
  private awaits: boolean | undefined;
  private inRecord: Trail | undefined;

  constructor(trails: Trails, course: Course, number: number) {
    this.trails = trails;
    this.course = course;
    this.number = number;
    this.next = new BoundedMap(trails.steps);
    this.byMatches = new BoundedMap(trails.steps);
  }

  to(step: Step): Trail {
    const known = this.next.get(step);
    if (known) return known;
    const trail = this.find(step);
    this.next.set(step, trail);
    return trail;
  }

  /** Steps after which all leaves have come equally far lead to one trail. */
  private find(step: Step): Trail {
    this.followed ??= this.findFollowed();
    // Only names count on the way to a root.
    let key = typeof step === 'string' ? '' : '#';
    const isAbove = !this.course.isInRoot;
    for (const match of this.followed)
      key += `${match.to(step).number}${isAbove ? ` ${match.toAbove(step).number}` : ''} `;
    const known = this.byMatches.get(key);
    if (known) return known;
    const trail = this.trailBehind(step);
    this.byMatches.set(key, trail);
    return trail;
  }

  private findFollowed(): readonly Match[] {
    const begun = this.begun();
    const parts = [
      ...begun.map(({ names }) => names),
      ...begun.map(({ prefixes }) => prefixes),
      ...this.parted().map(({ names }) => names),
    ];
    return parts.flat();
  }

  private trailBehind(step: Step): Trail {
    const { trails, course } = this;
    const follow = course.isInRoot ? followed : followedAbove;
    const namesAfter = course.isInRoot ? toEach : toEachAbove;
    const fromPayload = course.fromPayload.map((begun) => follow(begun, step));
    if (isAboveWord(course, trails.naming.frame)) fromPayload.push(trails.begin('payload'));
    const parted = this.parted().map((one) => withNames(one, namesAfter(one.names, step)));
    return trails.trail({
      length: course.length === 0 ? 1 : 2,
      fromPayload,
      fromRecord: course.fromRecord && follow(course.fromRecord, step),
      parted: distinct(parted),
      anyPrefix: parted.at(-1)?.prefixes ?? course.anyPrefix,
      isInRoot: course.isInRoot,
      isInRecord: course.isInRecord,
      isSoleElement: false,
    });
  }

  /** Whether `#` is next, which also matches an object that has no property of that name. */
  get awaitsElement(): boolean {
    this.awaits ??= this.findWhetherAwaits();
    return this.awaits;
  }

  private findWhetherAwaits(): boolean {
    const { parted } = this.course;
    return (
      this.trails.mayBeginAtSoleElement ||
      this.begun().some(({ names, prefixes }) => anyAwaits(names) || anyAwaits(prefixes)) ||
      parted.some(({ names }) => anyAwaits(names))
    );
  }

  /** The same place, as an object that has no property named `#`. */
  atSoleElement(): Trail {
    const { trails, course } = this;
    return trails.trail({
      ...course,
      isSoleElement: trails.mayBeginAtSoleElement,
      fromPayload: course.fromPayload.map(begunAtSoleElement),
      fromRecord: course.fromRecord && begunAtSoleElement(course.fromRecord),
      parted: distinct(course.parted.map((one) => withNames(one, atSoleElement(one.names)))),
    });
  }

  /** The same place, as a root: no name with a wildcard is that of a root. */
  atRoot(): Trail {
    const { trails, course } = this;
    const fromPayload = course.fromPayload.map((begun) => ({ ...begun, names: atRoot(begun.names) }));
    const parted = distinct(course.parted.map((one) => withNames(one, atRoot(one.names))));
    return trails.trail({ ...course, isInRoot: true, fromPayload, parted });
  }

  /** The same place, as that of a record. */
  enterRecord(): Trail {
    const { trails, course } = this;
    // At the payload, paths from the record are among those from the payload.
    this.inRecord ??= trails.trail({
      ...course,
      isInRecord: true,
      fromRecord: isAtPayload(course, trails.naming.frame) ? undefined : trails.begin('record'),
    });
    return this.inRecord;
  }

  /** What is left of the condition for a property here, which is in a record. */
  left(occupant: Occupant): Left {
    return (this.decided[occupant] ??= {
      condition: this.trails.decide(this.splits(), occupant),
      rules: undefined,
    });
  }

  private splits(): Splits {
    const { anyPrefix } = this.course;
    const { naming } = this.trails;
    const begun = this.begun();
    const names = naming.names.map((_leaf, at) => begun.some((one) => one.names[at]?.fits() === true));
    const whole: Split = { names, excluded: names, prefixes: undefined };
    if (naming.prefixes.length === 0) return { whole, parts: [], anyPrefix };
    return {
      whole,
      parts: [
        { ...whole, prefixes: naming.prefixes.map(() => false) },
        ...partsOf(this.splitBefore(), names),
      ],
      anyPrefix,
    };
  }

  /** Where a name may begin after a prefix: also here if it may be `#`, which is then the object itself. */
  private splitBefore(): readonly Before[] {
    const before = this.course.parted.map((one) => ({ ...one, names: one.names.map(isFit) }));
    const here = this.course.isSoleElement ? this.parted().at(-1) : undefined;
    if (here === undefined) return before;
    const unmoved = started(this.trails.naming.names, 'prefix');
    const names = here.names.map((match, leaf) => match !== unmoved[leaf] && match.fits());
    return [...before, { ...here, names }];
  }

  /** Where paths were split, and here as the last. */
  private parted(): readonly Parted[] {
    const { naming } = this.trails;
    if (naming.prefixes.length === 0) return [];
    // The root word names an object that the payload does not contain: nothing is split before it.
    if (isAboveWord(this.course, naming.frame)) return [];
    const begun = this.begun();
    // What a leaf on the prefix covers it covers at any depth.
    const prefixes = this.course.anyPrefix.map(
      (fits, index) => fits || begun.some((one) => one.prefixes[index]?.fits() === true),
    );
    // After a split, `json` names nothing: it is the prefix.
    const names = started(naming.names, 'prefix');
    const begunHere = this.course.isSoleElement ? atSoleElement(names) : names;
    return [...this.course.parted, { prefixes, names: begunHere, isAbove: !this.course.isInRecord }];
  }

  private begun(): readonly Begun[] {
    const { fromPayload, fromRecord } = this.course;
    return fromRecord ? [...fromPayload, fromRecord] : fromPayload;
  }
}

/**
 * Each way to split, from the shortest prefix on.
 *
 * @param whole whether each leaf on the name names the whole path: above the record, that is what the record's reading makes of it
 */
function partsOf(all: readonly Before[], whole: readonly boolean[]): readonly Split[] {
  let covered = whole.map(() => false);
  return all.map(({ prefixes, names, isAbove }) => {
    const excluded = names.map(
      (isNamed, leaf) => isNamed || covered[leaf] === true || (isAbove && whole[leaf] === true),
    );
    if (prefixes.includes(true))
      covered = covered.map((isCovered, leaf) => isCovered || names[leaf] === true);
    return { prefixes, names, excluded };
  });
}

function isFit(match: Match): boolean {
  return match.fits();
}

function withNames({ prefixes, isAbove }: Parted, names: readonly Match[]): Parted {
  return { prefixes, names, isAbove };
}

function atRoot(matches: readonly Match[]): readonly Match[] {
  return matches.map((match) => match.atRoot());
}

function atSoleElement(matches: readonly Match[]): readonly Match[] {
  return matches.map((match) => match.atSoleElement());
}

function begunAtSoleElement({ names, prefixes }: Begun): Begun {
  return { names: atSoleElement(names), prefixes: atSoleElement(prefixes) };
}

function anyAwaits(matches: readonly Match[]): boolean {
  return matches.some(({ awaitsElement }) => awaitsElement);
}

function started(matchings: readonly Matching[], at: Beginning): readonly Match[] {
  return matchings.map((matching) => matching.start(at));
}

function toEach(matches: readonly Match[], step: Step): readonly Match[] {
  return matches.map((match) => match.to(step));
}

function toEachAbove(matches: readonly Match[], step: Step): readonly Match[] {
  return matches.map((match) => match.toAbove(step));
}

function followed({ names, prefixes }: Begun, step: Step): Begun {
  return { names: toEach(names, step), prefixes: toEach(prefixes, step) };
}

/** The same above the roots. A prefix is that of all that is in its array. */
function followedAbove({ names, prefixes }: Begun, step: Step): Begun {
  return { names: toEachAbove(names, step), prefixes: toEach(prefixes, step) };
}

function distinct(parted: readonly Parted[]): readonly Parted[] {
  return parted.length < 2 ? parted : _.uniqBy(parted, partedKey);
}

function partedKey({ prefixes, names, isAbove }: Parted): string {
  return `${bits([isAbove, ...prefixes])}${numbersOf(names)}`;
}

function keyOf({ length, fromPayload, fromRecord, parted, ...bools }: Course): string {
  const begun = fromPayload.map(begunKey).join(';');
  const record = fromRecord ? begunKey(fromRecord) : '-';
  return `${length}${bits([...bools.anyPrefix, bools.isInRoot, bools.isInRecord, bools.isSoleElement])}|${begun}|${record}|${parted.map(partedKey).join(';')}`;
}

function begunKey({ names, prefixes }: Begun): string {
  return `${numbersOf(names)}:${numbersOf(prefixes)}`;
}

function numbersOf(matches: readonly Match[]): string {
  return matches.map(({ number }) => number).join(',');
}

/** What leaves say of a path that is read in one way. */
function verdictOf({ names, excluded, prefixes }: Split): string {
  return `/${bits(names)}${bits(excluded)}${prefixes ? `:${bits(prefixes)}` : ''}`;
}

function bits(of: readonly boolean[]): string {
  return of.map(Number).join('');
}
