import type { JsonDocument, Node } from '../json/document.ts';
import type { Plan, PlanState } from '../plan/plan.ts';
import { shapeOf, type RecordShape } from './record-shape.ts';

/** After how many records of another shape that of the next one is taken, and at most if none was met again. */
const FEW = 2;
const MANY = 1024;

/** The shape that most records at one state have, as far as is known. */
export class UsualShape {
  shape: RecordShape | undefined;
  /** The plan that was here last. */
  plan: Plan | undefined;
  /** Whether a record had it. */
  isUsed = false;
  private others = 0;
  private patience = FEW;

  /** Takes over the shape from the plan that was here last: what another plan does in such records may be something else. */
  takeOver(doc: JsonDocument, plan: Plan, record: Node, state: PlanState): void {
    this.plan = plan;
    if (this.shape) this.shape = this.shape.under(plan) ?? shapeOf(doc, plan, record, state);
  }

  /** Meets a record of another shape. */
  meet(doc: JsonDocument, plan: Plan, record: Node, state: PlanState): void {
    if (++this.others < this.patience) return;
    this.patience = this.isUsed ? FEW : Math.min(this.patience * 2, MANY);
    this.others = 0;
    this.isUsed = false;
    this.shape = shapeOf(doc, plan, record, state);
  }
}
