import { isInteger, isWholeSecond } from '../conditions/typed-beginning.ts';
import type { NameClass } from '../paths/name-classes.ts';
import type { ElementStep, Route, Step } from '../paths/route.ts';
import { BoundedMap, EntryLimit } from './bounded-maps.ts';
import type { Occupant } from './naming.ts';
import type { StepList } from './step.ts';
import type { RuleTrail } from './rule-trail.ts';

/** How many routes are kept, so that no payload fills the memory. */
const MAX_ROUTES = 4096;
/** How many steps from routes are kept. */
const MAX_STEPS = 16_384;
/** What a route takes, and a step from one to another with what is asked there, in bytes, roughly. */
const BYTES_PER_ROUTE = 1536;
const BYTES_PER_STEP = 4096;

/** Makes the routes of a plan: the same one for ways that make no difference to its conditions. */
export class PlanRoutes {
  private readonly known = new Map<string, PlanRoute>();
  private count = 0;
  readonly steps = new EntryLimit(MAX_STEPS);

  /** How much those that are kept take, in bytes, roughly. */
  get weight(): number {
    return this.known.size * BYTES_PER_ROUTE + this.steps.size * BYTES_PER_STEP;
  }

  /** @param trails those at the payload of all rules that are decided anew for each property */
  top(trails: readonly RuleTrail[], rootWord: string | undefined): PlanRoute {
    return this.route(trails, 'above', rootWord === undefined ? NO_NAMES : fractionsOf(rootWord));
  }

  /** @param before as {@link Route.before}: the same trails follow the same ones, as far as they distinguish these */
  route(trails: readonly RuleTrail[], place: PlanRoute['place'], before: readonly string[]): PlanRoute {
    const key = `${place} ${trails.map(({ number }) => number).join(' ')}`;
    const known = this.known.get(key);
    if (known) return known;
    const route = new PlanRoute(this, trails, place, before, this.count++);
    if (this.known.size >= MAX_ROUTES) this.known.clear();
    this.known.set(key, route);
    return route;
  }
}

/** What the conditions of a plan make of the way from the payload to a value. */
export class PlanRoute implements Route {
  readonly number: number;
  readonly before: readonly string[];
  readonly trails: readonly RuleTrail[];
  /** Whether it leads to a value above all records, to a record, or to a value in one. */
  readonly place: 'above' | 'record' | 'inside';
  /** What rules about any property ask of a value at its end, once that was asked. */
  readonly stepsOn: Partial<Record<Occupant, StepList>> = {};
  private readonly routes: PlanRoutes;
  private readonly next: BoundedMap<NameClass | ElementStep, PlanRoute>;
  private awaits: boolean | undefined;
  private inRecord: PlanRoute | undefined;

  constructor(
    routes: PlanRoutes,
    trails: readonly RuleTrail[],
    place: PlanRoute['place'],
    before: readonly string[],
    number: number,
  ) {
    this.routes = routes;
    this.trails = trails;
    this.place = place;
    this.number = number;
    this.before = before;
    this.next = new BoundedMap(routes.steps);
  }

  to(step: Step, like: NameClass | ElementStep): PlanRoute {
    const known = this.next.get(like);
    if (known) return known;
    const route = this.stepped(step);
    this.next.set(like, route);
    return route;
  }

  get awaitsElement(): boolean {
    this.awaits ??= this.trails.some((trail) => trail.awaitsElement);
    return this.awaits;
  }

  atSoleElement(): PlanRoute {
    return this.awaitsElement ? this.changed((trail) => trail.atSoleElement()) : this;
  }

  atRoot(): PlanRoute {
    return this.changed((trail) => trail.atRoot());
  }

  enterRecord(): PlanRoute {
    this.inRecord ??= this.routes.route(
      this.trails.map((trail) => trail.enterRecord()),
      'record',
      this.before,
    );
    return this.inRecord;
  }

  private changed(change: (trail: RuleTrail) => RuleTrail): PlanRoute {
    return this.routes.route(this.trails.map(change), this.place, this.before);
  }

  private stepped(step: Step): PlanRoute {
    const place = this.place === 'above' ? 'above' : 'inside';
    return this.routes.route(
      this.trails.map((trail) => trail.to(step)),
      place,
      typeof step === 'string' ? fractionsOf(step) : this.behindElement(step),
    );
  }

  /** An element may be left out of a path, or written as its index. */
  private behindElement({ index }: ElementStep): readonly string[] {
    const text = String(index);
    return Number.isNaN(index) || this.before.includes(text) ? this.before : [...this.before, text];
  }
}

const NO_NAMES: readonly string[] = [];

/** What comes before a fraction that follows a name. */
function fractionsOf(name: string): readonly string[] {
  return isInteger(name) || isWholeSecond(name) ? [name] : NO_NAMES;
}
