import { Piece } from '../json/piece.ts';
import type { Creation, Plan, PlanState } from '../plan/plan.ts';
import type { PlanStep } from '../plan/step.ts';

/** Members that are the same in every object that lacks them all: no rule about them has a condition. */
export interface Constant {
  /** The steps that set something, once for each value. */
  readonly steps: readonly PlanStep[];
  /** For an object that has no members. */
  readonly alone: Piece;
  /** For an object that has others. */
  readonly after: Piece;
  readonly inBraces: Piece;
}

type Choice = (state: PlanState, names: readonly string[]) => PlanStep | undefined;

/** How many texts are kept as pieces. */
const MAX_PIECES = 256;

/** Writes the members that are created for properties that an object lacks (enforcement §7). */
export class Creations {
  private readonly plan: Plan;
  private readonly choose: Choice;
  private readonly constants = new Map<readonly Creation[], Constant | undefined>();
  private readonly pieces = new Map<string, Piece>();
  /** The names that lead to what is being created. */
  private readonly names: string[] = [];

  /** @param choose the step that is applied to a property which is absent, by its state and the names that lead to it */
  constructor(plan: Plan, choose: Choice) {
    this.plan = plan;
    this.choose = choose;
  }

  /** The members as JSON, without braces; empty if none is created. */
  members(creations: readonly Creation[]): string {
    let text = '';
    for (const { name, label, state } of creations) {
      this.names.push(name);
      const value = state && this.value(state);
      this.names.pop();
      if (value !== undefined) text += text === '' ? label + value : `,${label}${value}`;
    }
    return text;
  }

  /** What is set for all of some names, if it is the same for every record. */
  constantOf(creations: readonly Creation[]): Constant | undefined {
    const known = this.constants.get(creations);
    if (known !== undefined || this.constants.has(creations)) return known;
    const steps: PlanStep[] = [];
    const members = this.collect(creations, steps);
    const constant = members === undefined ? undefined : constantOf(members, steps);
    this.constants.set(creations, constant);
    return constant;
  }

  /** A text as a piece: most objects that lack the same properties get the same. */
  pieceOf(text: string): Piece {
    const known = this.pieces.get(text);
    if (known) return known;
    const piece = Piece.of(text);
    if (this.pieces.size < MAX_PIECES) this.pieces.set(text, piece);
    return piece;
  }

  private value(state: PlanState): string | undefined {
    const created = this.choose(state, this.names)?.action.created;
    if (created !== undefined) return created;
    const members = this.members(this.plan.at(state).creationsAnew);
    return members === '' ? undefined : `{${members}}`;
  }

  /** Collects the steps that are applied to absent properties; undefined if that depends on the record. */
  private collect(creations: readonly Creation[], steps: PlanStep[]): string | undefined {
    const members: string[] = [];
    for (const { label, state } of creations) {
      const value = state === undefined ? '' : this.constantValue(state, steps);
      if (value === undefined) return undefined;
      if (value !== '') members.push(label + value);
    }
    return members.join(',');
  }

  /** Empty if nothing is set. */
  private constantValue(state: PlanState, steps: PlanStep[]): string | undefined {
    const { onAbsent, creationsAnew: creations } = this.plan.at(state);
    const { only } = onAbsent;
    if (only === undefined ? !onAbsent.isEmpty : only.condition !== undefined) return undefined;
    if (only?.action.created !== undefined) {
      steps.push(only);
      return only.action.created;
    }
    const members = this.collect(creations, steps);
    return members === undefined || members === '' ? members : `{${members}}`;
  }
}

function constantOf(members: string, steps: readonly PlanStep[]): Constant {
  return {
    steps,
    alone: Piece.of(members),
    after: Piece.of(`,${members}`),
    inBraces: Piece.of(`{${members}}`),
  };
}
