import { endBefore, endOf, firstIn, isEmpty, startOf, type Node } from '../json/document.ts';
import { Piece } from '../json/piece.ts';
import { ConditionIndex } from '../plan/condition-index.ts';
import type { Creation, PlanState, StatePlan } from '../plan/plan.ts';
import { anyHolds, type RecordCondition } from '../plan/record-condition.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import type { Root } from '../roots.ts';
import type { Changes } from './changes.ts';
import { VALUE_WORDS, type Pace } from './pace.ts';
import { endOfEmptyRun, isRepeatable, repeated } from './runs.ts';

/** What is set, if that is the same for every record: empty if it is nothing. */
interface Constant {
  readonly text: string;
  /** The steps that set something, once for each value. */
  readonly steps: readonly PlanStep[];
}

/** A property that may be created. */
interface Entry {
  /** Its place among the creations. */
  readonly place: number;
  readonly creation: Creation;
  /** Its value; undefined if that depends on the record. */
  readonly constant: Constant | undefined;
  /** The conditions of which one must hold for anything to be set; undefined if it may be set in any case. */
  readonly conditions: readonly RecordCondition[] | undefined;
  /** Whether all that sets it is in dry run. */
  readonly isDryRun: boolean;
}

/** Members that are the same in every object that lacks them all. */
class ConstantMembers {
  readonly steps: readonly PlanStep[];
  /** As JSON, without braces. */
  readonly text: string;
  private pieces: { alone?: Piece; after?: Piece; inBraces?: Piece } | undefined;

  constructor(entries: readonly Entry[]) {
    this.steps = entries.flatMap(({ constant }) => constant?.steps ?? []);
    this.text = entries.map(({ creation, constant }) => creation.label + (constant?.text ?? '')).join(',');
  }

  /** For an object that has no members. */
  get alone(): Piece {
    this.pieces ??= {};
    return (this.pieces.alone ??= Piece.of(this.text));
  }

  /** For an object that has others. */
  get after(): Piece {
    this.pieces ??= {};
    return (this.pieces.after ??= Piece.of(`,${this.text}`));
  }

  get inBraces(): Piece {
    this.pieces ??= {};
    return (this.pieces.inBraces ??= Piece.of(`{${this.text}}`));
  }
}

/** Entries, and the same by their conditions. */
interface IndexedEntries {
  readonly entries: readonly Entry[];
  readonly index: ConditionIndex<Entry>;
}

interface EntryList extends IndexedEntries {
  readonly creations: readonly Creation[];
  /** Those that are not in dry run. */
  readonly enforced: IndexedEntries;
  readonly constant: ConstantMembers | undefined;
}

/** A list that is being made. */
interface Draft {
  readonly creations: readonly Creation[];
  readonly entries: Entry[];
  /** The place of the creation that comes next. */
  next: number;
}

/** How many texts are kept as pieces. */
const MAX_PIECES = 256;
const NOTHING_SET: Constant = { text: '', steps: [] };

/** Writes the members that are created for properties that an object lacks (docs/enforcement.md). */
export class Creations {
  private readonly changes: Changes;
  private readonly pace: Pace;
  private lists: Map<readonly Creation[], EntryList> | undefined;
  /** The lists that are being made, each for an entry of the one before. */
  private drafts: Draft[] = [];
  /** The list that was asked for last: neighbours tend to lack the same properties. */
  private latest: EntryList | undefined;
  private pieces: Map<string, Piece> | undefined;

  constructor(changes: Changes, pace: Pace) {
    this.changes = changes;
    this.pace = pace;
  }

  /**
   * Finds out what may be created, once for all objects that lack the same properties: there may be thousands.
   *
   * @returns false if the step is over before all of it is known; the next step has to ask for the same
   */
  prepare(wanted: readonly Creation[]): boolean {
    if (this.knows(wanted)) return true;
    if (this.drafts[0]?.creations !== wanted) this.drafts = [draftOf(wanted)];
    const { drafts, pace } = this;
    for (let draft = drafts.at(-1); draft !== undefined; draft = drafts.at(-1)) {
      if (pace.isOver) return false;
      const creation = draft.creations[draft.next];
      if (creation === undefined) {
        this.addList(draft.creations, draft.entries);
        drafts.pop();
        continue;
      }
      const sole = this.soleEntry(creation, draft.next);
      const below = sole ? undefined : this.unknownBelow(creation);
      if (below) drafts.push(draftOf(below));
      else {
        addEntry(draft.entries, sole ?? this.entry(creation, draft.next));
        draft.next++;
        pace.spend(VALUE_WORDS);
      }
    }
    return true;
  }

  /** What may be created in a property that may be created, if that is not known yet. */
  private unknownBelow(creation: Creation): readonly Creation[] | undefined {
    if (creation.state === undefined) return undefined;
    const { creationsAnew } = this.changes.plan.at(creation.state);
    return this.knows(creationsAnew) ? undefined : creationsAnew;
  }

  private knows(creations: readonly Creation[]): boolean {
    return this.latest?.creations === creations || this.lists?.has(creations) === true;
  }

  /**
   * Adds the properties that an object lacks.
   *
   * @param isPresent which of them it has; undefined if it lacks them all
   * @param isCleared whether none of its own members stays
   */
  addTo(
    object: Node,
    wanted: readonly Creation[],
    isPresent: readonly boolean[] | undefined,
    isCleared: boolean,
  ): void {
    const { changes } = this;
    const { doc, splicer } = changes;
    changes.witness?.lacking(object, wanted, isPresent, changes.record);
    const constant = isPresent ? undefined : this.listOf(wanted).constant;
    const members = constant ? '' : this.members(wanted, changes.record, isPresent);
    if (constant ? constant.steps.length === 0 : members === '') return;
    if (constant) this.report(constant.steps);
    const at = isEmpty(doc, object) ? startOf(doc, object) + 1 : endBefore(doc, endOf(doc, object) - 1);
    const ready = isCleared ? constant?.alone : constant?.after;
    splicer.replace(at, at, ready ?? this.pieceOf(isCleared ? members : `,${members}`));
  }

  /**
   * The same for elements of an array that follow one another and are `{}`, each of which is a record.
   *
   * @param stop the node after the array
   * @returns the element after those that were filled, which may be the first; that if it is not known yet what is created
   */
  fillRun(first: Node, stop: Node, root: Root, wanted: readonly Creation[]): Node {
    const { changes } = this;
    const { doc, splicer } = changes;
    const constant = this.knows(wanted) ? this.listOf(wanted).constant : undefined;
    if (constant === undefined || constant.steps.length === 0 || !isRepeatable(constant.inBraces))
      return first;
    const next = endOfEmptyRun(doc, first, stop);
    const count = (next - first) / (firstIn(first) - first);
    if (count < 2) return first;
    splicer.replace(startOf(doc, first), startOf(doc, next) - 1, repeated(constant.inBraces, count));
    for (let node = first; node < next; node = firstIn(node)) {
      changes.enter(node, root);
      this.report(constant.steps);
    }
    changes.leave();
    return next;
  }

  /** Puts an object of what may be created there in the place of null. */
  fillNull(node: Node, { creationsAnew: creations }: StatePlan): void {
    const { changes } = this;
    const { doc, splicer } = changes;
    changes.witness?.lacking(node, creations, undefined, changes.record);
    const { constant } = this.listOf(creations);
    const members = constant ? '' : this.members(creations, changes.record);
    if (constant ? constant.steps.length === 0 : members === '') return;
    const piece = constant?.inBraces ?? this.pieceOf(`{${members}}`);
    if (constant) this.report(constant.steps);
    splicer.replace(startOf(doc, node), endOf(doc, node), piece);
  }

  /**
   * The members as JSON, without braces; empty if none is created.
   *
   * @param isPresent whether a property is there, by its place among the creations; undefined if all are missing
   */
  private members(
    creations: readonly Creation[],
    record: RecordView | undefined,
    isPresent?: readonly boolean[],
  ): string {
    if (creations.length === 0) return '';
    const list = this.listOf(creations);
    const { entries, index } = this.changes.followsDryRuns ? list : list.enforced;
    let text = '';
    for (const entry of record ? index.for(record) : entries) {
      if (isPresent?.[entry.place] === true) continue;
      if (record && entry.conditions && !anyHolds(entry.conditions, record)) continue;
      const value = this.value(entry, record);
      if (value !== '') text += `${text === '' ? '' : ','}${entry.creation.label}${value}`;
    }
    return text;
  }

  /** A text as a piece: most objects that lack the same properties get the same. */
  private pieceOf(text: string): Piece {
    this.pieces ??= new Map();
    const known = this.pieces.get(text);
    if (known) return known;
    const piece = Piece.of(text);
    if (this.pieces.size < MAX_PIECES) this.pieces.set(text, piece);
    return piece;
  }

  private value({ creation: { state }, constant }: Entry, record: RecordView | undefined): string {
    if (constant) {
      this.report(constant.steps);
      return constant.text;
    }
    if (state === undefined) return '';
    const created = this.changes.creating(state)?.action.created;
    if (created !== undefined) return created;
    const members = this.members(this.changes.plan.at(state).creationsAnew, record);
    return members === '' ? '' : `{${members}}`;
  }

  /** Reports the steps that set the same for every record. */
  private report(steps: readonly PlanStep[]): void {
    for (const step of steps) this.changes.reportCreated(step);
  }

  private listOf(creations: readonly Creation[]): EntryList {
    const { latest } = this;
    if (latest?.creations === creations) return latest;
    return (this.latest = this.lists?.get(creations) ?? this.listAtOnce(creations));
  }

  /** Another plan with the same paths may have replaced what was prepared, between two steps of the walk. */
  private listAtOnce(creations: readonly Creation[]): EntryList {
    const entries: Entry[] = [];
    for (const [place, creation] of creations.entries())
      addEntry(entries, this.soleEntry(creation, place) ?? this.entry(creation, place));
    return this.addList(creations, entries);
  }

  private addList(creations: readonly Creation[], entries: readonly Entry[]): EntryList {
    const all = indexed(entries);
    const enforced = entries.filter(({ isDryRun }) => !isDryRun);
    const list = {
      creations,
      ...all,
      enforced: enforced.length === entries.length ? all : indexed(enforced),
      constant: entries.every(({ constant }) => constant) ? new ConstantMembers(entries) : undefined,
    };
    this.lists ??= new Map();
    this.lists.set(creations, list);
    return list;
  }

  /** The entry if one step always sets the value; undefined otherwise. */
  private soleEntry(creation: Creation, place: number): Entry | undefined {
    const step = this.changes.plan.soleStepOf(creation);
    if (!step || step.condition || step.dryRun || step.assetIds) return undefined;
    const { created } = step.action;
    if (created === undefined) return undefined;
    const constant = { text: created, steps: [step] };
    return { place, creation, constant, conditions: undefined, isDryRun: false };
  }

  private entry(creation: Creation, place: number): Entry | undefined {
    const { state } = creation;
    if (state === undefined) return undefined;
    const constant = this.constantAt(state);
    const conditions = constant ? undefined : this.conditionsAt(state);
    return { place, creation, constant, conditions, isDryRun: !constant && this.isDryRunAt(state) };
  }

  private isDryRunAt(state: PlanState): boolean {
    const { onAbsent, creationsAnew } = this.changes.plan.at(state);
    return onAbsent.enforced.isEmpty && this.listOf(creationsAnew).enforced.entries.length === 0;
  }

  private constantAt(state: PlanState): Constant | undefined {
    const { onAbsent, creationsAnew } = this.changes.plan.at(state);
    const { only } = onAbsent;
    if (only === undefined ? !onAbsent.isEmpty : only.condition !== undefined) return undefined;
    if (only?.action.created !== undefined) return { text: only.action.created, steps: [only] };
    const { entries, constant } = this.listOf(creationsAnew);
    if (entries.length === 0) return NOTHING_SET;
    return constant && { text: `{${constant.text}}`, steps: constant.steps };
  }

  private conditionsAt(state: PlanState): readonly RecordCondition[] | undefined {
    const { onAbsent, creationsAnew } = this.changes.plan.at(state);
    const all = [
      ...onAbsent.all.map(({ condition }) => condition && [condition]),
      ...this.listOf(creationsAnew).entries.map(({ conditions }) => conditions),
    ];
    return all.every((some) => some !== undefined) ? all.flat() : undefined;
  }
}

/** Adds an entry, unless nothing is created there. */
function addEntry(entries: Entry[], entry: Entry | undefined): void {
  if (entry !== undefined && entry.constant?.text !== '') entries.push(entry);
}

function draftOf(creations: readonly Creation[]): Draft {
  return { creations, entries: [], next: 0 };
}

function indexed(entries: readonly Entry[]): IndexedEntries {
  return { entries, index: new ConditionIndex(entries, ({ conditions }) => conditions) };
}
