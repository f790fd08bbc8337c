import { endBefore, endOf, firstIn, isEmpty, startOf, type Node } from '../json/document.ts';
import { Piece } from '../json/piece.ts';
import { ConditionIndex } from '../plan/condition-index.ts';
import type { Creation, PlanState, StatePlan } from '../plan/plan.ts';
import { anyHolds, type RecordCondition } from '../plan/record-condition.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import type { Root } from '../roots.ts';
import type { Changes } from './changes.ts';
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

/** How many texts are kept as pieces. */
const MAX_PIECES = 256;
const NOTHING_SET: Constant = { text: '', steps: [] };

/** Writes the members that are created for properties that an object lacks (docs/enforcement.md). */
export class Creations {
  private readonly changes: Changes;
  private lists: Map<readonly Creation[], EntryList> | undefined;
  /** The list that was asked for last: neighbours tend to lack the same properties. */
  private latest: EntryList | undefined;
  private pieces: Map<string, Piece> | undefined;

  constructor(changes: Changes) {
    this.changes = changes;
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
   * @returns the element after those that were filled, which may be the first
   */
  fillRun(first: Node, stop: Node, root: Root, wanted: readonly Creation[]): Node {
    const { changes } = this;
    const { doc, splicer } = changes;
    const { constant } = this.listOf(wanted);
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
    if (creations.length === 0) return;
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
    this.lists ??= new Map();
    return (this.latest = this.lists.get(creations) ?? this.addList(creations));
  }

  private addList(creations: readonly Creation[]): EntryList {
    const entries = creations.flatMap((creation, place) => {
      const entry = this.entry(creation, place);
      return entry === undefined || entry.constant?.text === '' ? [] : [entry];
    });
    const all = indexed(entries);
    const enforced = entries.filter(({ isDryRun }) => !isDryRun);
    const list = {
      creations,
      ...all,
      enforced: enforced.length === entries.length ? all : indexed(enforced),
      constant: entries.every(({ constant }) => constant) ? new ConstantMembers(entries) : undefined,
    };
    this.lists?.set(creations, list);
    return list;
  }

  private entry(creation: Creation, place: number): Entry | undefined {
    const step = this.changes.plan.soleStepOf(creation);
    if (step && !step.condition && !step.dryRun && !step.assetIds && step.action.created !== undefined) {
      const constant = { text: step.action.created, steps: [step] };
      return { place, creation, constant, conditions: undefined, isDryRun: false };
    }
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

function indexed(entries: readonly Entry[]): IndexedEntries {
  return { entries, index: new ConditionIndex(entries, ({ conditions }) => conditions) };
}
