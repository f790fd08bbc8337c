import type { PlanPaths } from './plan-paths.ts';

/** How much the plans may take that notes at states belong to, in bytes, roughly. */
const MAX_NOTED = 4 * 1024 * 1024;

/** The paths of plans, compiled: those of plans that have the same ones. */
export class SharedPath<Note, Plan> {
  /** Where plans find them. */
  readonly key: string;
  readonly paths: PlanPaths<Note>;
  /** The latest of these plans: the next one is most often like it. */
  latest: Plan | undefined;
  /** What the plans take that used the paths since notes were forgotten: notes keep parts of them alive. */
  private noted = 0;

  constructor(key: string, paths: PlanPaths<Note>) {
    this.key = key;
    this.paths = paths;
  }

  /** Lets a plan use them that takes so many bytes, roughly. */
  use(weight: number): void {
    this.noted += weight;
    if (this.noted <= MAX_NOTED) return;
    this.noted = weight;
    this.paths.forgetNotes();
  }

  /** How much they take, in bytes, roughly: it grows while payloads are read. */
  get weight(): number {
    return this.key.length + this.paths.list.size + this.paths.weight + this.noted;
  }
}

/** Where plans find the paths of others, by a key that says little. What it forgets is compiled anew. */
export interface SharedPaths<Shared> {
  get(key: string): Shared | undefined;
  set(key: string, paths: Shared): unknown;
}
