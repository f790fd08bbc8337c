import type { Route, Step } from '../paths/route.ts';
import type { Trail, Trails } from './trail.ts';

/** How many routes are kept, so that no payload fills the memory. */
const MAX_ROUTES = 4096;

/** Makes the routes of a plan: the same one for ways that none of its conditions tells apart. */
export class PlanRoutes {
  private readonly known = new Map<string, PlanRoute>();
  private count = 0;

  /** @param all of each condition that is decided anew for each property, in order */
  top(all: readonly Trails[]): PlanRoute {
    return this.route(
      all.map((trails) => trails.top()),
      'above',
    );
  }

  route(trails: readonly Trail[], place: PlanRoute['place']): PlanRoute {
    const key = `${place} ${trails.map(({ number }) => number).join(' ')}`;
    const known = this.known.get(key);
    if (known) return known;
    const route = new PlanRoute(this, trails, place, this.count++);
    if (this.known.size >= MAX_ROUTES) this.known.clear();
    this.known.set(key, route);
    return route;
  }
}

/** What the conditions of a plan make of the way from the payload to a value. */
export class PlanRoute implements Route {
  readonly number: number;
  readonly trails: readonly Trail[];
  /** Whether it leads to a value above all records, to a record, or to a value in one. */
  readonly place: 'above' | 'record' | 'inside';
  private readonly routes: PlanRoutes;

  constructor(routes: PlanRoutes, trails: readonly Trail[], place: PlanRoute['place'], number: number) {
    this.routes = routes;
    this.trails = trails;
    this.place = place;
    this.number = number;
  }

  to(step: Step): PlanRoute {
    const place = this.place === 'above' ? 'above' : 'inside';
    return this.routes.route(
      this.trails.map((trail) => trail.to(step)),
      place,
    );
  }

  enterRecord(): PlanRoute {
    return this.routes.route(
      this.trails.map((trail) => trail.enterRecord()),
      'record',
    );
  }
}
