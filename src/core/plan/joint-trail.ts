import { ALWAYS, NEVER } from '../conditions/condition.ts';
import type { Step } from '../paths/route.ts';
import { BoundedTextMap } from './bounded-maps.ts';
import type { FoundValues } from './found-values.ts';
import type { JointRules } from './joint-rules.ts';
import type { Match } from './match.ts';
import type { Occupant } from './naming.ts';
import { behindWord, isAboveWord, isAtPayload, type Way } from './root-word.ts';
import type { Left, RuleTrail, RuleTrails } from './rule-trail.ts';
import { BYTES_PER_CONDITION, BYTES_PER_TRAIL } from './trail.ts';

/** How many trails are kept, so that no payload fills the memory. */
const MAX_TRAILS = 4096;

/** A place at which paths were split: the values that fit the prefix, how far the names have come from there, and which fit. */
interface Parted {
  readonly found: FoundValues;
  readonly name: Match;
  readonly named: FoundValues;
}

/** What a trail consists of, as {@link Trail} has it for other conditions. */
interface Course extends Way {
  readonly isInRoot: boolean;
  readonly isInRecord: boolean;
  readonly fromPayload: readonly Match[];
  readonly fromRecord: Match | undefined;
  /** The values that fit the path to here. */
  readonly own: FoundValues;
  /** Those that fit a path before it. */
  readonly before: FoundValues;
  /** The places before it, if names behind prefixes matter. */
  readonly parted: readonly Parted[];
  /** Whether it leads to an object that has no property named `#`, as far as that matters for names that begin there. */
  readonly isSoleElement: boolean;
}

/** Follows joint rules on the way to a property: a step costs what is found with it, and not each of the rules. */
export class JointTrails implements RuleTrails {
  readonly rules: JointRules;
  private readonly known = new BoundedTextMap<JointTrail>(MAX_TRAILS);
  private count = 0;

  constructor(rules: JointRules) {
    this.rules = rules;
  }

  get weight(): number {
    const { values, behind } = this.rules;
    const ofSets = values.sets.weight + (behind?.values.sets.weight ?? 0);
    return BYTES_PER_CONDITION + this.known.size * BYTES_PER_TRAIL + ofSets;
  }

  /** The trail at what the root word names or, without one, at the payload. */
  top(): JointTrail {
    const { frame, values } = this.rules;
    const { sets, matching } = values;
    const top = this.trail({
      length: 0,
      isInRoot: false,
      isInRecord: false,
      fromPayload: [matching.start('payload')],
      fromRecord: undefined,
      own: sets.none,
      before: sets.none,
      parted: [],
      isSoleElement: false,
    });
    return behindWord(top, frame);
  }

  /** Whether a name that begins behind a prefix may begin with `#`. */
  get mayBeginAtSoleElement(): boolean {
    return this.rules.behind?.start.awaitsElement === true;
  }

  /** The same trail for the same course. @param course without what its matches found last */
  trail(course: Course): JointTrail {
    const { sets, isLasting } = this.rules.values;
    const latest = sets.of(matchesOf(course).flatMap((match) => match.found()));
    const own = isLasting ? sets.together(course.own, latest) : latest;
    const now = { ...course, own, parted: distinct(course.parted.map((one) => this.named(one))) };
    const key = keyOf(now);
    return this.known.get(key) ?? this.known.set(key, new JointTrail(this, now, this.count++));
  }

  /** With what its names have found last. */
  named(one: Parted): Parted {
    const { behind } = this.rules;
    if (behind === undefined) return one;
    const { sets, isLasting } = behind.values;
    const latest = sets.of(one.name.found());
    const named = isLasting ? sets.together(one.named, latest) : latest;
    return named === one.named ? one : { ...one, named };
  }
}

/** How far joint rules have come on the way to a property. */
export class JointTrail implements RuleTrail {
  readonly number: number;
  readonly awaitsElement: boolean;
  private readonly trails: JointTrails;
  private readonly course: Course;
  private inRecord: JointTrail | undefined;

  constructor(trails: JointTrails, course: Course, number: number) {
    this.trails = trails;
    this.course = course;
    this.number = number;
    const matches = [...matchesOf(course), ...course.parted.map(({ name }) => name)];
    this.awaitsElement = trails.mayBeginAtSoleElement || matches.some((match) => match.awaitsElement);
  }

  to(step: Step): JointTrail {
    const { trails, course } = this;
    const { subject } = trails.rules;
    // A prefix is that of all that is in its array, and what ends at an array above the roots names nothing in it.
    const follow = course.isInRoot || subject === 'prefix' ? followed : followedAbove;
    const nameAfter = course.isInRoot ? followed : followedAbove;
    const fromPayload = course.fromPayload.map((match) => follow(match, step));
    if (this.isAboveWord()) fromPayload.push(trails.rules.values.matching.start('payload'));
    return trails.trail({
      length: course.length === 0 ? 1 : 2,
      isInRoot: course.isInRoot,
      isInRecord: course.isInRecord,
      fromPayload,
      fromRecord: course.fromRecord?.to(step),
      own: course.own,
      before: this.found(),
      parted: this.parted().map((one) => parting(one, nameAfter(one.name, step))),
      isSoleElement: false,
    });
  }

  /** The values that fit the path to here, as a prefix. */
  private found(): FoundValues {
    const { trails, course } = this;
    // The root word names an object that the payload does not contain: it is no prefix.
    return this.isAboveWord() ? course.before : trails.rules.values.sets.together(course.before, course.own);
  }

  /** Where paths were split, and here as the last. */
  private parted(): readonly Parted[] {
    const { course, trails } = this;
    const { behind } = trails.rules;
    if (behind === undefined || this.isAboveWord()) return [];
    const name = course.isSoleElement ? behind.start.atSoleElement() : behind.start;
    return [...course.parted, { found: this.found(), name, named: behind.values.sets.none }];
  }

  atSoleElement(): JointTrail {
    if (!this.awaitsElement) return this;
    const { course } = this;
    return this.trails.trail({
      ...course,
      fromPayload: course.fromPayload.map((match) => match.atSoleElement()),
      fromRecord: course.fromRecord?.atSoleElement(),
      parted: course.parted.map((one) => parting(one, one.name.atSoleElement())),
      isSoleElement: this.trails.mayBeginAtSoleElement,
    });
  }

  atRoot(): JointTrail {
    const { trails, course } = this;
    const { fromPayload } = course;
    const isPrefix = trails.rules.subject === 'prefix';
    return trails.trail({
      ...course,
      isInRoot: true,
      fromPayload: isPrefix ? fromPayload : fromPayload.map((match) => match.atRoot()),
      parted: course.parted.map((one) => parting(one, one.name.atRoot())),
    });
  }

  enterRecord(): JointTrail {
    const { trails, course } = this;
    this.inRecord ??= trails.trail({
      ...course,
      isInRecord: true,
      // At the payload, paths from the record are among those from the payload.
      fromRecord: isAtPayload(course, trails.rules.frame)
        ? undefined
        : trails.rules.values.matching.start('record'),
    });
    return this.inRecord;
  }

  left(occupant: Occupant): Left {
    const { rules: joint } = this.trails;
    const rules = joint.isAskedOf(occupant) ? this.rules() : [];
    return rules.length === 0 ? NOTHING : { condition: ALWAYS, rules };
  }

  /** The rules whose leaves hold, by their places. */
  private rules(): readonly number[] {
    const { course, trails } = this;
    const { rules: joint } = trails;
    if (joint.subject === 'property') return joint.rulesFor(course.own);
    if (joint.behind === undefined) return joint.rulesFor(course.before);
    // A name may begin here if it may be `#`, which is then the object itself.
    const here = course.isSoleElement ? this.parted().at(-1) : undefined;
    const isNamedHere = here !== undefined && here.name !== joint.behind.start;
    const split = isNamedHere ? [...course.parted, trails.named(here)] : course.parted;
    return [...new Set(split.flatMap(({ found, named }) => joint.rulesForBoth(found, named)))];
  }

  private isAboveWord(): boolean {
    return isAboveWord(this.course, this.trails.rules.frame);
  }
}

const NOTHING: Left = { condition: NEVER, rules: [] };

function followed(match: Match, step: Step): Match {
  return match.to(step);
}

function followedAbove(match: Match, step: Step): Match {
  return match.toAbove(step);
}

function parting(one: Parted, name: Match): Parted {
  return { ...one, name };
}

function matchesOf({ fromPayload, fromRecord }: Course): readonly Match[] {
  return fromRecord ? [...fromPayload, fromRecord] : fromPayload;
}

/** The last of the places from which names have come equally far, and found the same: what fits a prefix fits longer ones. */
function distinct(parted: readonly Parted[]): readonly Parted[] {
  if (parted.length < 2) return parted;
  return [...new Map(parted.map((one) => [`${one.name.number} ${one.named.number}`, one])).values()];
}

function keyOf({ length, fromPayload, fromRecord, own, before, parted, ...bools }: Course): string {
  const split = parted
    .map(({ found, name, named }) => `${found.number},${name.number},${named.number}`)
    .join(';');
  const payload = fromPayload.map(({ number }) => number).join(',');
  const begun = `${length}${bools.isInRoot}${bools.isInRecord}${bools.isSoleElement} ${payload} ${fromRecord?.number ?? ''}`;
  return `${begun} ${own.number} ${before.number} ${split}`;
}
