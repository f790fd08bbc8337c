import _ from 'lodash';
import { isNever, NEVER, type Condition } from '../conditions/condition.ts';
import type { AutomatonRoutes } from '../paths/automaton.ts';
import { ElementSteps } from '../paths/element-steps.ts';
import type { Route } from '../paths/route.ts';
import type { Rules } from '../rule.ts';
import type { Frame } from './frame.ts';
import { elementsNamedIn, isIndexed, leavesOn, Naming, textsIn, type Occupant } from './naming.ts';
import type { PathList } from './path-list.ts';
import { PlanRoute, PlanRoutes } from './plan-route.ts';
import { StepList, StepLists, type PlanStep } from './step.ts';
import type { Target } from './targets.ts';
import { textUses } from './text-uses.ts';
import { Trails, type Trail } from './trail.ts';

/** A rule whose condition is decided anew for each property: it may be about any. */
interface OpenRule {
  readonly trails: Trails;
  /** What is left of it for a property. */
  readonly step: (condition: Condition) => PlanStep;
}

/** The rules of a plan that may be about any property, in order. */
export class OpenRules {
  private readonly rules: readonly OpenRule[];
  private readonly places = new Map<Target, number>();
  private readonly isExplained: boolean;
  /** Those of each automaton: one may distinguish elements that another does not. */
  private readonly routes: PlanRoutes[] = [];
  /** Of steps on values: many routes and paths lead to the same ones. */
  readonly lists = new StepLists();

  /**
   * @param stepFor what is left of a rule for a property
   * @param isExplained whether it matters of each rule if its condition holds, and not only of the first one
   */
  constructor(
    targets: readonly Target[],
    frame: Frame,
    stepFor: (target: Target, condition: Condition) => PlanStep,
    isExplained: boolean,
  ) {
    this.isExplained = isExplained;
    this.rules = targets.map((target) => ({
      trails: new Trails(new Naming(target.condition, frame)),
      step: _.memoize((condition) => stepFor(target, condition)),
    }));
    for (const [place, target] of targets.entries()) this.places.set(target, place);
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** How much they take, with what payloads have led to, in bytes, roughly. */
  get weight(): number {
    return _.sumBy(this.routes, 'weight') + _.sumBy(this.rules, ({ trails }) => trails.weight);
  }

  /** What they ask of a property in a record. */
  stepsOn(occupant: Occupant, route: Route | undefined): StepList {
    if (!(route instanceof PlanRoute) || route.place === 'above') return StepList.NONE;
    const known = route.stepsOn.get(occupant);
    if (known) return known;
    const steps = this.lists.of(
      this.rules.flatMap((rule, place) => stepsOf(rule, route.trails[place], occupant)),
    );
    route.stepsOn.set(occupant, steps);
    return steps;
  }

  /** What others ask of a property, and these. */
  together(others: StepList, open: StepList): StepList {
    if (others.isEmpty || open.isEmpty) return open.isEmpty ? others : open;
    return this.lists.of([...others.all, ...open.all]);
  }

  /** What one of them asks of a property that is absent. */
  stepsOnAbsent(target: Target, route: Route | undefined): readonly PlanStep[] {
    const place = this.places.get(target) ?? -1;
    const rule = this.rules[place];
    return rule && route instanceof PlanRoute ? stepsOf(rule, route.trails[place], 'absent') : [];
  }

  /** What states have to know besides the paths, for these to be decided. */
  routesFor(rules: Rules['properties'], list: PathList): AutomatonRoutes {
    const leaves = rules.flatMap(({ about }) =>
      'condition' in about
        ? [...leavesOn(about.condition, 'property'), ...leavesOn(about.condition, 'prefix')]
        : [],
    );
    const { segments, inTexts } = elementsNamedIn(leaves);
    const inPaths = list.all.flatMap(({ path }) => path.filter(isIndexed));
    const texts = { ...textsIn(leaves), ...(this.isExplained ? {} : { uses: textUses(rules) }) };
    const elements = new ElementSteps([...segments, ...inPaths], inTexts ? texts : undefined);
    const routes = new PlanRoutes();
    this.routes.push(routes);
    const top = routes.top(this.rules.map(({ trails }) => trails));
    return { top, elements, texts, segments: leaves.flatMap(({ paths }) => paths.flat()) };
  }
}

function stepsOf({ step }: OpenRule, trail: Trail | undefined, occupant: Occupant): readonly PlanStep[] {
  const condition = trail?.decide(occupant) ?? NEVER;
  return isNever(condition) ? [] : [step(condition)];
}
