import { Piece } from '../json/piece.ts';
import { ConditionIndex } from '../plan/condition-index.ts';
import type { Creation, Plan, PlanState } from '../plan/plan.ts';
import type { RecordCondition } from '../plan/record-condition.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';

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
  readonly label: string;
  readonly state: PlanState;
  /** Its value; undefined if that depends on the record. */
  readonly constant: Constant | undefined;
  /** The conditions of which one must hold for anything to be set; undefined if it may be set in any case. */
  readonly conditions: readonly RecordCondition[] | undefined;
}

/** Members that are the same in every object that lacks them all. */
interface ConstantMembers {
  readonly steps: readonly PlanStep[];
  /** For an object that has no members. */
  readonly alone: Piece;
  /** For an object that has others. */
  readonly after: Piece;
  readonly inBraces: Piece;
}

interface EntryList {
  readonly creations: readonly Creation[];
  readonly entries: readonly Entry[];
  readonly index: ConditionIndex<Entry>;
  readonly constant: ConstantMembers | undefined;
}

/** How many texts are kept as pieces. */
const MAX_PIECES = 256;
const NOTHING_SET: Constant = { text: '', steps: [] };

/** Writes the members that are created for properties that an object lacks (docs/enforcement.md). */
export class Creations {
  private readonly plan: Plan;
  /** Chooses the step that is applied to an absent property. */
  private readonly choose: (state: PlanState) => PlanStep | undefined;
  /** Called for each step that sets the same for every record. */
  private readonly report: (step: PlanStep) => void;
  private readonly lists = new Map<readonly Creation[], EntryList>();
  /** The list that was asked for last: neighbours tend to lack the same properties. */
  private latest: EntryList | undefined;
  private readonly pieces = new Map<string, Piece>();

  constructor(
    plan: Plan,
    choose: (state: PlanState) => PlanStep | undefined,
    report: (step: PlanStep) => void,
  ) {
    this.plan = plan;
    this.choose = choose;
    this.report = report;
  }

  /**
   * The members as JSON, without braces; empty if none is created.
   *
   * @param isPresent whether a property is there, by its place among the creations; undefined if all are missing
   */
  members(
    creations: readonly Creation[],
    record: RecordView | undefined,
    isPresent?: readonly boolean[],
  ): string {
    const { entries, index } = this.listOf(creations);
    let text = '';
    for (const entry of record ? index.for(record) : entries) {
      if (isPresent?.[entry.place] === true) continue;
      const value = this.value(entry, record);
      if (value !== '') text += text === '' ? entry.label + value : `,${entry.label}${value}`;
    }
    return text;
  }

  /** What is set if all properties are missing, if it is the same for every record. */
  constantOf(creations: readonly Creation[]): ConstantMembers | undefined {
    return this.listOf(creations).constant;
  }

  /** A text as a piece: most objects that lack the same properties get the same. */
  pieceOf(text: string): Piece {
    const known = this.pieces.get(text);
    if (known) return known;
    const piece = Piece.of(text);
    if (this.pieces.size < MAX_PIECES) this.pieces.set(text, piece);
    return piece;
  }

  private value({ state, constant }: Entry, record: RecordView | undefined): string {
    if (constant) {
      for (const step of constant.steps) this.report(step);
      return constant.text;
    }
    const created = this.choose(state)?.action.created;
    if (created !== undefined) return created;
    const members = this.members(this.plan.at(state).creationsAnew, record);
    return members === '' ? '' : `{${members}}`;
  }

  private listOf(creations: readonly Creation[]): EntryList {
    const { latest } = this;
    if (latest?.creations === creations) return latest;
    return (this.latest = this.lists.get(creations) ?? this.addList(creations));
  }

  private addList(creations: readonly Creation[]): EntryList {
    const entries = creations.flatMap(({ label, state }, place) => {
      const entry = state && this.entry(label, state, place);
      return entry === undefined || entry.constant?.text === '' ? [] : [entry];
    });
    const list = {
      creations,
      entries,
      index: new ConditionIndex(entries, ({ conditions }) => conditions),
      constant: constantOf(entries),
    };
    this.lists.set(creations, list);
    return list;
  }

  private entry(label: string, state: PlanState, place: number): Entry {
    const constant = this.constantAt(state);
    return { place, label, state, constant, conditions: constant ? undefined : this.conditionsAt(state) };
  }

  private constantAt(state: PlanState): Constant | undefined {
    const { onAbsent, creationsAnew } = this.plan.at(state);
    const { only } = onAbsent;
    if (only === undefined ? !onAbsent.isEmpty : only.condition !== undefined) return undefined;
    if (only?.action.created !== undefined) return { text: only.action.created, steps: [only] };
    const { entries, constant } = this.listOf(creationsAnew);
    if (entries.length === 0) return NOTHING_SET;
    return constant && { text: `{${membersOf(entries)}}`, steps: constant.steps };
  }

  private conditionsAt(state: PlanState): readonly RecordCondition[] | undefined {
    const { onAbsent, creationsAnew } = this.plan.at(state);
    const all = [
      ...onAbsent.all.map(({ condition }) => condition && [condition]),
      ...this.listOf(creationsAnew).entries.map(({ conditions }) => conditions),
    ];
    return all.every((some) => some !== undefined) ? all.flat() : undefined;
  }
}

function membersOf(entries: readonly Entry[]): string {
  return entries.map(({ label, constant }) => label + (constant?.text ?? '')).join(',');
}

function constantOf(entries: readonly Entry[]): ConstantMembers | undefined {
  if (entries.some(({ constant }) => constant === undefined)) return undefined;
  const members = membersOf(entries);
  return {
    steps: entries.flatMap(({ constant }) => constant?.steps ?? []),
    alone: Piece.of(members),
    after: Piece.of(`,${members}`),
    inBraces: Piece.of(`{${members}}`),
  };
}
