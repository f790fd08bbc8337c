import _ from 'lodash';
import { allOf, isNever, type Condition } from '../conditions/condition.ts';
import type { AutomatonRoutes } from '../paths/automaton.ts';
import { ElementSteps } from '../paths/element-steps.ts';
import type { Route } from '../paths/route.ts';
import type { Rules } from '../rule.ts';
import { followedTogether, type FollowedRules, type Following } from './followed-rules.ts';
import { elementsNamedIn, isIndexed, leavesOn, textsIn, type Occupant } from './naming.ts';
import type { PathList } from './path-list.ts';
import { PlanRoute, PlanRoutes } from './plan-route.ts';
import type { RuleTrail } from './rule-trail.ts';
import { inOrder, StepList, StepLists, type PlanStep } from './step.ts';
import type { Target } from './targets.ts';
import { textUses } from './text-uses.ts';

/** What is left of a rule for a property. */
type StepFor = (condition: Condition) => PlanStep;

/** The rules of a plan that may be about any property, in order. */
export class OpenRules {
  private readonly followed: readonly FollowedRules[];
  /** By the place of the rules that are followed together, and by that of the rule among them. */
  private readonly steps: readonly (readonly StepFor[])[];
  private readonly places = new Map<Target, readonly [followed: number, rule: number]>();
  private readonly following: Following;
  /** Those of each automaton: one may distinguish elements that another does not. */
  private readonly routes: PlanRoutes[] = [];
  /** How many values their conditions compare names with, and the segments of those that are paths. */
  namedCount = 0;
  /** Of steps on values: many routes and paths lead to the same ones. */
  readonly lists = new StepLists();

  /** @param stepFor what is left of a rule for a property */
  constructor(
    targets: readonly Target[],
    following: Following,
    stepFor: (target: Target, condition: Condition) => PlanStep,
  ) {
    this.following = following;
    this.followed = followedTogether(targets, following);
    this.steps = this.followed.map(({ rules }) =>
      rules.map(({ target, rest }) => _.memoize((condition) => stepFor(target, allOf([rest, condition])))),
    );
    for (const [place, { rules }] of this.followed.entries())
      for (const [at, { target }] of rules.entries()) this.places.set(target, [place, at]);
  }

  get isEmpty(): boolean {
    return this.followed.length === 0;
  }

  /** How many there are; those that are followed together are one. */
  get count(): number {
    return this.followed.length;
  }

  /** How much they take, with what payloads have led to, in bytes, roughly. */
  get weight(): number {
    return _.sumBy(this.routes, 'weight') + _.sumBy(this.followed, ({ trails }) => trails.weight);
  }

  /** What they ask of a property in a record. */
  stepsOn(occupant: Occupant, route: Route | undefined): StepList {
    if (!(route instanceof PlanRoute) || route.place === 'above') return StepList.NONE;
    const known = route.stepsOn[occupant];
    if (known) return known;
    const found: PlanStep[] = [];
    for (let place = 0; place < route.trails.length; place++)
      this.addStepsAt(route.trails[place]!, place, occupant, found);
    return (route.stepsOn[occupant] = this.lists.of(this.counting(found)));
  }

  /** What others ask of a property, and these. */
  together(others: StepList, open: StepList): StepList {
    if (others.isEmpty || open.isEmpty) return open.isEmpty ? others : open;
    return this.lists.of([...others.all, ...open.all]);
  }

  /** What one of them asks of a property that is absent. */
  stepsOnAbsent(target: Target, route: Route | undefined): readonly PlanStep[] {
    const [place, at] = this.places.get(target) ?? [-1, -1];
    const trail = route instanceof PlanRoute ? route.trails[place] : undefined;
    if (trail === undefined) return [];
    const { condition, rules } = trail.left('absent');
    const stepFor = rules?.includes(at) === false ? undefined : this.steps[place]?.[at];
    return stepFor === undefined || isNever(condition) ? [] : [stepFor(condition)];
  }

  private addStepsAt(trail: RuleTrail, place: number, occupant: Occupant, into: PlanStep[]): void {
    const { condition, rules } = trail.left(occupant);
    const steps = this.steps[place];
    if (isNever(condition) || steps === undefined) return;
    if (rules === undefined) for (const stepFor of steps) into.push(stepFor(condition));
    else for (const rule of rules) into.push(steps[rule]!(condition));
  }

  /** Nothing comes after a step that is taken whatever the record is, unless all are explained. */
  private counting(steps: readonly PlanStep[]): readonly PlanStep[] {
    const ordered = inOrder(steps);
    const last = this.following.isExplained ? -1 : ordered.findIndex(isTaken);
    return last < 0 ? ordered : ordered.slice(0, last + 1);
  }

  /** What states have to know besides the paths, for these to be decided. */
  routesFor(rules: Rules['properties'], list: PathList): AutomatonRoutes {
    const leaves = rules.flatMap(({ about }) =>
      'condition' in about
        ? [...leavesOn(about.condition, 'property'), ...leavesOn(about.condition, 'prefix')]
        : [],
    );
    this.namedCount = _.sumBy(leaves, ({ paths, values }) => values.length + _.sumBy(paths, 'length'));
    const { frame, isExplained } = this.following;
    const { segments, inTexts } = elementsNamedIn(leaves);
    const inPaths = list.all.flatMap(({ path }) => path.filter(isIndexed));
    const texts = { ...textsIn(leaves), ...(isExplained ? {} : { uses: textUses(rules) }) };
    const elements = new ElementSteps([...segments, ...inPaths], inTexts ? texts : undefined);
    const routes = new PlanRoutes();
    this.routes.push(routes);
    const top = routes.top(
      this.followed.map(({ trails }) => trails.top()),
      frame.rootWord,
    );
    return { top, elements, texts, segments: leaves.flatMap(({ paths }) => paths.flat()) };
  }
}

function isTaken({ condition, dryRun, assetIds }: PlanStep): boolean {
  return condition === undefined && dryRun === undefined && assetIds === undefined;
}
