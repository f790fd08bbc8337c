import _ from 'lodash';
import type { Action, MaskSettings } from '../actions/action.ts';
import type { CompiledAction } from '../actions/mask-result.ts';
import { isAlways, isNever, NEVER, type Condition } from '../conditions/condition.ts';
import type { AutomatonRoutes } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import type { Segment } from '../paths/path.ts';
import { ElementSteps } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
import { dryRunPolicies, type Rules } from '../rule.ts';
import { FilterPlan } from './filter.ts';
import type { Frame } from './frame.ts';
import { elementsNamedIn, isIndexed, leavesOn, Naming, textsIn, type Occupant } from './naming.ts';
import { patchedTargets } from './patched-targets.ts';
import { PathList } from './path-list.ts';
import { PlanPaths, type RootPaths as RootPathsOf } from './plan-paths.ts';
import { PlanRoute, PlanRoutes } from './plan-route.ts';
import { RecordConditions } from './record-condition.ts';
import { StepList, type PlanStep } from './step.ts';
import { KnownPlaces, NewPlaces, outlineOf, TargetsByPath, type Target, type TargetsAt } from './targets.ts';
import { Trails, type Trail } from './trail.ts';

/** A rule whose condition is decided anew for each property: it may be about any. */
interface OpenRule {
  readonly trails: Trails;
  /** What is left of it for a property. */
  readonly step: (condition: Condition) => PlanStep;
}

/** A property that may be created: its name, also as JSON with the colon, and the state that its value has. */
export interface Creation {
  readonly name: string;
  readonly label: string;
  readonly state: PlanState | undefined;
}

/** What is tried at a state of the automaton. */
export interface StatePlan {
  /** Whose it is: plans with the same paths share their states. */
  readonly plan: Plan;
  /** What is tried at the paths that end here. */
  readonly targets: readonly Target[];
  readonly onScalar: StepList;
  readonly onObject: StepList;
  /** On an array or null: those are no leaves, and `#` does not match them as a list of one. */
  readonly onOther: StepList;
  /** What paths ask of the value itself: also of a record, or of what holds records. */
  readonly onPlace: StepList;
  /** On a property that is absent. */
  readonly onAbsent: StepList;
  /** The properties that a literal may be set at, or below, if the object here lacks them. */
  readonly creations: readonly Creation[];
  /** The same for null: digits may then be an index as well as a name, and create nothing. */
  readonly creationsAnew: readonly Creation[];
  /** The place of each of those names among them. */
  readonly places: NameIndex<number>;
  /** Whether this is the place of such a name. */
  readonly isCreatable: boolean;
}

/** A state with what is tried there. */
export type PlanState = State<StatePlan>;

/** The paths of a plan for the roots of a payload. */
export type RootPaths = RootPathsOf<StatePlan>;

/** The paths of plans, compiled: those of plans that have the same ones. */
export interface SharedPath {
  readonly paths: PlanPaths<StatePlan>;
  /** The latest of these plans: the next one is most often like it. */
  latest: Plan | undefined;
}

/** Where plans find the paths of others, by a key that says little. What it forgets is compiled anew. */
export interface SharedPaths {
  get(key: string): SharedPath | undefined;
  set(key: string, paths: SharedPath): unknown;
}

/** Actions, compiled with the masks that they were compiled with last. */
const COMPILED = new WeakMap<Action, { readonly masks: MaskSettings; readonly compiled: CompiledAction }>();

/** How many states a plan remembers what it tries at, if other plans meet them too. */
const MAX_REMEMBERED = 2048;

type SortedTargets = Readonly<Pick<TargetsByPath, 'open'>> & { readonly at: TargetsAt };
type Creations = Pick<StatePlan, 'creations' | 'creationsAnew' | 'places'>;

const NOTHING_CREATED: readonly Creation[] = [];
const NO_CREATIONS: Creations = {
  creations: NOTHING_CREATED,
  creationsAnew: NOTHING_CREATED,
  places: new NameIndex(),
};
const NO_PLACES: ReadonlySet<number> = new Set();
const CREATED_IN_OBJECT: ReadonlySet<Segment['kind']> = new Set(['name', 'index']);
const CREATED_ANEW: ReadonlySet<Segment['kind']> = new Set(['name']);

/**
 * Rules compiled for walking: paths and conditions once a decision, names as far as possible before any record is known
 * (docs/path-syntax.md, docs/enforcement.md#conditions).
 */
export class Plan {
  readonly filter: FilterPlan;
  /** What conditions read, and what identifies records. */
  readonly conditions: RecordConditions;
  private readonly paths: PlanPaths<StatePlan>;
  private readonly masks: MaskSettings;
  private readonly frame: Frame;
  private readonly open: readonly OpenRule[];
  /** By the targets that are open. */
  private readonly openAt = new Map<Target, number>();
  /** Whether any rule sets the value of an absent property. */
  private readonly creates: boolean;
  private readonly rules: Rules['properties'];
  private readonly targetsAt: TargetsAt;
  private readonly steps = new Map<Target, PlanStep>();
  /** The places of the paths at which a literal may be set. */
  private readonly creatable: ReadonlySet<number>;
  private readonly remembered = new Map<PlanState, StatePlan>();

  /**
   * @param masks how values are masked, unless the rules say otherwise
   * @param shared the paths of plans with the same configuration; none unless given
   */
  constructor(rules: Rules, frame: Frame, masks: MaskSettings, shared?: SharedPaths) {
    this.masks = {
      maskString: masks.maskString,
      maskShort: rules.maskShort ?? masks.maskShort,
    };
    this.frame = frame;
    this.rules = rules.properties;
    this.conditions = new RecordConditions(frame);
    this.filter = new FilterPlan(rules, this.conditions);
    this.creates = rules.properties.some(({ action }) => this.compiled(action).created !== undefined);
    const { targets, paths } = this.findTargets(rules, shared);
    this.targetsAt = targets.at;
    const latest = paths instanceof PathList ? undefined : paths.latest;
    const other = latest && areSameMasks(latest.masks, this.masks) ? latest : undefined;
    this.creatable = this.creates ? this.creatableAmong(targets.at, other) : NO_PLACES;
    this.open = targets.open.map((target) => this.opened(target));
    for (const [index, target] of targets.open.entries()) this.openAt.set(target, index);
    if (paths instanceof PathList) {
      this.paths = this.compilePaths(paths, () => this.routesFor(rules, paths));
    } else {
      this.paths = paths.paths;
      paths.latest = this;
    }
  }

  /** The state at the payload; undefined if no rule is about any property. */
  get top(): PlanState | undefined {
    return this.paths.top;
  }

  /** What is tried at a state. */
  at(state: PlanState): StatePlan {
    const { note } = state;
    return note !== undefined && note.plan === this ? note : this.recall(state);
  }

  /** The paths for the roots of a payload ({@link PlanPaths.forRoots}). */
  forRoots(statesAt: Parameters<PlanPaths<StatePlan>['forRoots']>[0]): RootPaths {
    return this.paths.forRoots(statesAt);
  }

  /** The state at the payload if it is the only root ({@link PlanPaths.atPayload}). */
  atPayload(isArray: boolean): PlanState | undefined {
    return this.paths.atPayload(isArray);
  }

  private recall(state: PlanState): StatePlan {
    const known = this.remembered.get(state);
    const plan = known ?? this.compile(state, state.note);
    state.note = plan;
    if (known === undefined && state.isKept) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(state, plan);
    }
    return plan;
  }

  /** @param other what another plan with the same paths tries there */
  private compile(state: PlanState, other: StatePlan | undefined): StatePlan {
    const targets = this.targets(state);
    const creations = this.creationsAt(state, other);
    if (other && other.creations === creations.creations && this.triesTheSame(targets, other))
      return { ...other, plan: this, targets };
    const onPlace = StepList.of(this.stepsAt(targets, false));
    const onLeaf = targets.some(({ leavesOnly }) => leavesOnly)
      ? StepList.of(this.stepsAt(targets, true))
      : onPlace;
    const onAbsent = this.creates ? this.onAbsent(targets, state, onPlace) : StepList.NONE;
    const isCreatable =
      creations.creations.length > 0 || onAbsent.all.some(({ action }) => action.created !== undefined);
    const plan = { plan: this, targets, onPlace, onAbsent, ...creations, isCreatable };
    if (this.open.length === 0) return { ...plan, onScalar: onLeaf, onObject: onPlace, onOther: onPlace };
    const isRecord = state.route instanceof PlanRoute && state.route.place === 'record';
    const withOpen = (steps: StepList, occupant: Occupant): StepList => {
      const open = this.stepsOn(occupant, state);
      return open.length === 0 ? steps : StepList.of([...steps.all, ...open]);
    };
    return {
      ...plan,
      onScalar: withOpen(onLeaf, 'scalar'),
      onObject: withOpen(onPlace, isRecord ? 'record' : 'object'),
      onOther: withOpen(onPlace, isRecord ? 'record' : 'other'),
    };
  }

  /** Whether another plan asks the same there: then what it tries need not be compiled anew. */
  private triesTheSame(targets: readonly Target[], { plan, targets: others }: StatePlan): boolean {
    return (
      this.open.length === 0 &&
      plan.open.length === 0 &&
      areSameMasks(plan.masks, this.masks) &&
      areSameTargets(targets, others)
    );
  }

  /** Those of another plan if it creates values at the same paths. */
  private creationsAt(state: PlanState, other: StatePlan | undefined): Creations {
    if (!this.creates) return NO_CREATIONS;
    if (other?.plan.creatable === this.creatable)
      return { creations: other.creations, creationsAnew: other.creationsAnew, places: other.places };
    const creations = this.creationsFrom(state, CREATED_IN_OBJECT);
    if (creations.length === 0) return NO_CREATIONS;
    return {
      creations,
      creationsAnew: this.creationsFrom(state, CREATED_ANEW),
      places: placesOf(creations),
    };
  }

  private creationsFrom(state: PlanState, kinds: ReadonlySet<Segment['kind']>): readonly Creation[] {
    const creating = this.paths.creatingFrom(state, this.creatable, kinds);
    return creating ? creationsAt(creating.state, creating.names) : NOTHING_CREATED;
  }

  private onAbsent(targets: readonly Target[], state: PlanState, onPlace: StepList): StepList {
    return targets.some(({ isOpen }) => isOpen) ? StepList.of(this.stepsOnAbsent(targets, state)) : onPlace;
  }

  private stepsAt(targets: readonly Target[], isLeaf: boolean): readonly PlanStep[] {
    const steps: PlanStep[] = [];
    for (const target of targets)
      if (!target.isOpen && (isLeaf || !target.leavesOnly)) steps.push(this.stepOf(target));
    return steps;
  }

  private stepsOnAbsent(targets: readonly Target[], { route }: PlanState): readonly PlanStep[] {
    return targets.flatMap((target) => {
      if (!target.isOpen) return target.leavesOnly ? [] : [this.stepOf(target)];
      const index = this.openAt.get(target);
      const rule = index === undefined ? undefined : this.open[index];
      return rule && route instanceof PlanRoute ? stepsOf(rule, route.trails[index ?? -1], 'absent') : [];
    });
  }

  private targets(state: PlanState): readonly Target[] {
    const [only, ...others] = this.paths.placesAt(state);
    const first = only === undefined ? [] : (this.targetsAt[only] ?? []);
    if (others.length === 0) return first;
    return first.concat(others.flatMap((place) => this.targetsAt[place] ?? []));
  }

  /** What rules ask that are about any property: of those in a record. */
  private stepsOn(occupant: Occupant, { route }: PlanState): PlanStep[] {
    if (!(route instanceof PlanRoute) || route.place === 'above') return [];
    return this.open.flatMap((rule, index) => stepsOf(rule, route.trails[index], occupant));
  }

  /** What is tried at the paths of the rules, and these: compiled, if no state has to know more. */
  private findTargets(
    { properties }: Rules,
    shared: SharedPaths | undefined,
  ): { readonly targets: SortedTargets; readonly paths: SharedPath | PathList } {
    const key = shared && `${JSON.stringify(this.frame)}${this.creates} ${outlineOf(properties)}`;
    const known = key === undefined ? undefined : shared?.get(key);
    const targets =
      known && (this.targetsLike(known, properties) ?? this.targetsAmong(properties, known.paths.list));
    if (known && targets) return { targets, paths: known };
    const list = new PathList(this.frame);
    const own = new TargetsByPath(new NewPlaces(list), this.creates);
    own.add(properties);
    if (own.open.length > 0) return { targets: own, paths: list };
    const paths: SharedPath = { paths: this.compilePaths(list), latest: undefined };
    if (key !== undefined) shared?.set(key, paths);
    return { targets: own, paths };
  }

  /** The same if few rules differ from those of another plan. */
  private targetsLike({ latest, paths }: SharedPath, rules: Rules['properties']): SortedTargets | undefined {
    if (latest === undefined || latest.open.length > 0) return undefined;
    const before = { rules: latest.rules, at: latest.targetsAt };
    const at = patchedTargets(before, rules, paths.list, this.creates);
    return at && { at, open: [] };
  }

  /** The same at the paths of another plan; undefined unless they are the same. */
  private targetsAmong(properties: Rules['properties'], list: PathList): TargetsByPath | undefined {
    const places = new KnownPlaces(list);
    const targets = new TargetsByPath(places, this.creates);
    const isComplete = targets.add(properties) && places.isComplete && targets.open.length === 0;
    return isComplete ? targets : undefined;
  }

  private opened(target: Target): OpenRule {
    const trails = new Trails(new Naming(target.condition, this.frame));
    return { trails, step: _.memoize((condition) => this.stepFor(target, condition)) };
  }

  /** Made when a payload leads to it: most payloads have few of the properties that a decision names. */
  private stepOf(target: Target): PlanStep {
    const known = this.steps.get(target);
    if (known) return known;
    const step = this.stepFor(target, target.condition);
    this.steps.set(target, step);
    return step;
  }

  private stepFor({ rule, rank }: Target, condition: Condition): PlanStep {
    return {
      rank,
      action: this.compiled(rule.action),
      condition: isAlways(condition) ? undefined : this.conditions.compile(condition),
      tree: condition,
      policies: rule.policies,
      dryRun: dryRunPolicies(rule),
      assetIds: rule.assetIds,
      isPerRecord: 'condition' in rule.about || rule.assetIds !== undefined,
    };
  }

  private compiled(action: Action): CompiledAction {
    const known = COMPILED.get(action);
    if (known && areSameMasks(known.masks, this.masks)) return known.compiled;
    const compiled = action.compile(this.masks);
    COMPILED.set(action, { masks: this.masks, compiled });
    return compiled;
  }

  private compilePaths(list: PathList, routes?: () => AutomatonRoutes): PlanPaths<StatePlan> {
    return new PlanPaths<StatePlan>(list, { creates: this.creates, frame: this.frame, routes });
  }

  /** @param other a plan with the same paths: if values are created at the same ones, it yields the same set */
  private creatableAmong(all: TargetsAt, other: Plan | undefined): ReadonlySet<number> {
    const known = other?.creatable ?? NO_PLACES;
    const places = new Set<number>();
    for (const [place, targets] of all.entries())
      if (targets === other?.targetsAt[place] ? known.has(place) : this.anyCreates(targets))
        places.add(place);
    return places.size === known.size && [...places].every((place) => known.has(place)) ? known : places;
  }

  private anyCreates(targets: readonly Target[]): boolean {
    return targets.some(({ rule }) => this.compiled(rule.action).created !== undefined);
  }

  private routesFor({ properties }: Rules, list: PathList): AutomatonRoutes {
    const leaves = properties.flatMap(({ about }) =>
      'condition' in about
        ? [...leavesOn(about.condition, 'property'), ...leavesOn(about.condition, 'prefix')]
        : [],
    );
    const { segments, all } = elementsNamedIn(leaves);
    const inPaths = list.all.flatMap(({ path }) => path.filter(isIndexed));
    const elements = new ElementSteps([...segments, ...inPaths], all);
    const top = new PlanRoutes().top(this.open.map(({ trails }) => trails));
    return { top, elements, texts: textsIn(leaves), segments: leaves.flatMap(({ paths }) => paths.flat()) };
  }
}

function stepsOf({ step }: OpenRule, trail: Trail | undefined, occupant: Occupant): readonly PlanStep[] {
  const condition = trail?.decide(occupant) ?? NEVER;
  return isNever(condition) ? [] : [step(condition)];
}

function creationsAt(state: PlanState, names: readonly string[]): readonly Creation[] {
  return names.map((name) => ({ name, label: `${JSON.stringify(name)}:`, state: state.memberNamed(name) }));
}

function placesOf(creations: readonly Creation[]): NameIndex<number> {
  const index = new NameIndex<number>();
  for (const [place, { name }] of creations.entries()) index.set(name, place);
  return index;
}

function areSameMasks(a: MaskSettings, b: MaskSettings): boolean {
  return a.maskString === b.maskString && a.maskShort === b.maskShort;
}

/** Whether the very same rules are tried in the same places of the order: what is left of one is then the same, too. */
function areSameTargets(some: readonly Target[], others: readonly Target[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ rule, rank }, at) => rule === others[at]?.rule && rank === others[at]?.rank)
  );
}
