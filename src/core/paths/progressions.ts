/** Whole numbers at equal distances, without the last. */
export interface Progression {
  /** What selects them. */
  readonly selector: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Numbers that the same selectors select, among those of the same step and remainder. */
export interface Piece {
  /** Another one for other selectors. */
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** How many selectors are compared with those of other pieces: more are hardly ever the same. */
const FEW = 16;

/** Where a selector begins or ends. */
interface Bound {
  readonly at: number;
  readonly selector: number;
  readonly change: 1 | -1;
}

/** Cuts progressions where they overlap, so that a number is in at most one piece of a step, whatever selects it. */
export class PieceCutter {
  /** The numbers of pieces by their selectors. */
  private readonly known = new Map<string, number>();
  /** How many of them there are. */
  count = 0;

  /** @returns those of the same step and remainder in ascending order */
  cut(progressions: readonly Progression[]): readonly Piece[] {
    const alike = Map.groupBy(progressions, ({ step, from }) => `${step} ${from % step}`);
    return [...alike.values()].flatMap((some) => this.cutAlike(some));
  }

  private cutAlike(progressions: readonly Progression[]): readonly Piece[] {
    const step = progressions[0]?.step ?? 1;
    const bounds = progressions.flatMap(boundsOf).toSorted((a, b) => a.at - b.at);
    const pieces: Piece[] = [];
    const active = new Map<number, number>();
    for (const [place, { at, selector, change }] of bounds.entries()) {
      const times = (active.get(selector) ?? 0) + change;
      if (times > 0) active.set(selector, times);
      else active.delete(selector);
      const to = bounds[place + 1]?.at ?? Infinity;
      if (at < to && active.size > 0) pieces.push({ number: this.numberOf(active), from: at, to, step });
    }
    return pieces;
  }

  private numberOf(active: ReadonlyMap<number, number>): number {
    if (active.size > FEW) return this.count++;
    const key = [...active.keys()].toSorted((a, b) => a - b).join(' ');
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.count);
    return this.count++;
  }
}

function boundsOf({ selector, from, to, step }: Progression): readonly Bound[] {
  const last = from + Math.ceil((to - from) / step) * step;
  if (last <= from) return [];
  return [
    { at: from, selector, change: 1 },
    { at: last, selector, change: -1 },
  ];
}
