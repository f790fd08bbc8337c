import type { MaskSettings } from '../actions/action.ts';
import { isAlways, type Condition } from '../conditions/condition.ts';
import type { AutomatonRoutes } from '../paths/automaton.ts';
import type { State } from '../paths/state.ts';
import { conditionsOf, dryRunPolicies, type Rules } from '../rule.ts';
import { CombinedNames } from './combined-names.ts';
import { anyCreates, areSameMasks, compiledAction, compiledActions } from './compiled-actions.ts';
import { FoundCreations, NO_CREATIONS, type CreationOf, type CreationsOf } from './creation.ts';
import { FilterPlan } from './filter.ts';
import type { Frame } from './frame.ts';
import type { Occupant } from './naming.ts';
import { NamedAssets } from './named-assets.ts';
import { OpenRules } from './open-rules.ts';
import { patchedTargets } from './patched-targets.ts';
import { PathList } from './path-list.ts';
import { BYTES_PER_STATE, PlanPaths, type RootPaths as RootPathsOf } from './plan-paths.ts';
import { PlanRoute } from './plan-route.ts';
import { RecordConditions } from './record-condition.ts';
import { SharedPath as SharedPathOf, type SharedPaths as SharedPathsOf } from './shared-paths.ts';
import { StepList, type PlanStep } from './step.ts';
import {
  areSameTargets,
  isTriedOn,
  isTriedOnAbsent,
  NewPlaces,
  outlineOf,
  targetsAmong,
  TargetsByPath,
  type Target,
  type TargetsAt,
} from './targets.ts';

/** What is tried at a state of the automaton. */
export interface StatePlan extends CreationsOf<StatePlan> {
  /** Who asked for it last: plans with the same paths share their states, and what they try there if it is the same. */
  plan: Plan;
  /** The places of the paths that end here. */
  readonly placesOfPaths: readonly number[];
  /** What is tried at these paths. */
  readonly targets: readonly Target[];
  readonly onScalar: StepList;
  readonly onObject: StepList;
  /** On an array or null: those are no leaves, and `#` does not match them as a list of one. */
  readonly onOther: StepList;
  /** What paths ask of the value itself: also of a record, or of what holds records. */
  readonly onPlace: StepList;
  /** On a property that is absent. */
  readonly onAbsent: StepList;
  /** Whether this is the place of a property that may be created. */
  readonly isCreatable: boolean;
}

/** A property that may be created. */
export type Creation = CreationOf<StatePlan>;

/** A state with what is tried there. */
export type PlanState = State<StatePlan>;

/** The paths of a plan for the roots of a payload. */
export type RootPaths = RootPathsOf<StatePlan>;

/** The paths of plans that have the same ones. */
export type SharedPath = SharedPathOf<StatePlan, Plan>;

/** Where plans find those of others. */
export type SharedPaths = SharedPathsOf<SharedPath>;

/** How many states a plan remembers what it tries at, if other plans meet them too. */
const MAX_REMEMBERED = 2048;

/** What it takes to find out what a rule that may be about any property asks where a payload leads, about, in words of the tape. */
const WORDS_PER_OPEN_RULE = 1000;

type SortedTargets = Readonly<Pick<TargetsByPath, 'open'>> & { readonly at: TargetsAt };

const NO_PLACES: ReadonlySet<number> = new Set();
const NO_TARGETS: readonly Target[] = [];
const NO_STEPS: readonly PlanStep[] = [];

/**
 * Rules compiled for walking: paths and conditions once a decision, names as far as possible before any record is known
 * (docs/path-syntax.md, docs/enforcement.md#conditions).
 */
export class Plan {
  readonly filter: FilterPlan;
  /** What conditions read, and what identifies records. */
  readonly conditions: RecordConditions;
  readonly assets: NamedAssets;
  /** Whether any rule removes values. */
  readonly removes: boolean;
  /** Whether any rule sets the value of an absent property. */
  readonly creates: boolean;
  /** How much it took so far to find out what is tried where payloads lead, about, in words of the tape. */
  effort = 0;
  /** Its paths, if others may share them. */
  readonly shared: SharedPath | undefined;
  private readonly paths: PlanPaths<StatePlan>;
  private readonly masks: MaskSettings;
  private readonly frame: Frame;
  private readonly open: OpenRules;
  private readonly rules: Rules['properties'];
  private readonly targetsAt: TargetsAt;
  private readonly steps = new Map<Target, PlanStep>();
  private stepCount = 0;
  /** The places of the paths at which a literal may be set. */
  private readonly creatable: ReadonlySet<number>;
  /** States may be here that their automaton has forgotten. */
  private readonly remembered = new Map<PlanState, StatePlan>();
  private foundCreations: FoundCreations<StatePlan> | undefined;

  /**
   * @param masks how values are masked, unless the rules say otherwise
   * @param shared the paths of plans with the same configuration; none unless given
   * @param isExplained whether what it does is explained
   */
  constructor(
    rules: Rules,
    frame: Frame,
    masks: MaskSettings,
    shared?: SharedPaths,
    isExplained: boolean = false,
  ) {
    this.masks = { maskString: masks.maskString, maskShort: rules.maskShort ?? masks.maskShort };
    this.frame = frame;
    this.rules = rules.properties;
    this.conditions = new RecordConditions(frame, () => conditionsOf(rules));
    this.assets = new NamedAssets(rules);
    this.filter = new FilterPlan(rules, this.conditions);
    const actions = compiledActions(rules.properties, this.masks);
    this.creates = actions.some(({ created }) => created !== undefined);
    this.removes = actions.some(({ removes }) => removes === true);
    const { targets, paths } = this.findTargets(rules, shared);
    this.targetsAt = targets.at;
    const latest = paths instanceof PathList ? undefined : paths.latest;
    const other = latest && areSameMasks(latest.masks, this.masks) ? latest : undefined;
    this.creatable = this.creates ? this.creatableAmong(targets.at, other) : NO_PLACES;
    const stepFor = (target: Target, condition: Condition) => this.stepFor(target, condition);
    this.open = new OpenRules(targets.open, { frame, isExplained, creates: this.creates }, stepFor);
    if (paths instanceof PathList) {
      this.paths = this.compilePaths(paths, () => this.open.routesFor(rules.properties, paths));
    } else {
      this.shared = paths;
      this.paths = paths.paths;
      paths.latest = this;
    }
  }

  /** How much it takes besides its rules, in bytes, roughly: it grows with what payloads lead to. */
  get weight(): number {
    const { paths, open, conditions, remembered } = this;
    const forgotten = Math.max(0, remembered.size - paths.keptStates);
    return forgotten * BYTES_PER_STATE + paths.weight + open.weight + conditions.weight;
  }

  /** How many states payloads have led to so far. */
  get madeStates(): number {
    return this.paths.madeStates;
  }

  /** How much rules write out: the segments of paths, and the values that conditions compare names with. */
  get writtenCount(): number {
    return this.paths.list.segmentCount + this.open.namedCount;
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

  /** The step that sets the value of an absent property, if that is known without its state, and is all that is tried there. */
  soleStepOf({ soleEnd }: Creation): PlanStep | undefined {
    if (soleEnd === undefined) return undefined;
    const [target, ...others] = this.targetsOf([soleEnd]);
    return target && others.length === 0 && isTriedOnAbsent(target) ? this.stepOf(target) : undefined;
  }

  private recall(state: PlanState): StatePlan {
    const known = this.remembered.get(state) ?? this.takeOver(state.note);
    const plan = known ?? this.compile(state);
    state.note = plan;
    plan.plan = this;
    if (known === undefined && state.isKept) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(state, plan);
    }
    return plan;
  }

  /** What another plan with the same paths tries at a state, if this one tries the very same. */
  private takeOver(note: StatePlan | undefined): StatePlan | undefined {
    if (note === undefined || !this.open.isEmpty || !this.isLike(note.plan, note)) return undefined;
    const targets = this.targetsOf(note.placesOfPaths);
    if (!areSameTargets(targets, note.targets)) return undefined;
    for (const { condition } of targets) this.conditions.adopt(condition);
    return note;
  }

  /** Whether another plan masks alike and creates the same values. */
  private isLike({ open, masks, creatable }: Plan, { creations }: StatePlan): boolean {
    const createsAlike =
      creatable === this.creatable || (creations.length === 0 && this.creatable.size === 0);
    return createsAlike && open.isEmpty && areSameMasks(masks, this.masks);
  }

  private compile(state: PlanState): StatePlan {
    this.effort += this.open.count * WORDS_PER_OPEN_RULE;
    const { note } = state;
    const placesOfPaths = note?.placesOfPaths ?? this.paths.placesAt(state);
    const targets = this.targetsOf(placesOfPaths);
    const creations = this.creationsAt(state, note);
    const onPlace = this.listOf(this.stepsAt(targets, false));
    const onLeaf = targets.some(({ leavesOnly }) => leavesOnly)
      ? this.listOf(this.stepsAt(targets, true))
      : onPlace;
    const onAbsent = this.creates ? this.onAbsent(targets, state, onPlace) : StepList.NONE;
    const isRecord = state.route instanceof PlanRoute && state.route.place === 'record';
    return {
      plan: this,
      placesOfPaths,
      targets,
      onScalar: this.withOpen(onLeaf, 'scalar', state),
      onObject: this.withOpen(onPlace, isRecord ? 'record' : 'object', state),
      onOther: this.withOpen(onPlace, isRecord ? 'record' : 'other', state),
      onPlace,
      onAbsent,
      creations: creations.creations,
      creationsAnew: creations.creationsAnew,
      places: creations.places,
      isCreatable:
        creations.creations.length > 0 || onAbsent.all.some(({ action }) => action.created !== undefined),
    };
  }

  /** Without rules about any property, no other state has the same list. */
  private listOf(steps: readonly PlanStep[]): StepList {
    return this.open.isEmpty ? StepList.of(steps) : this.open.lists.of(steps);
  }

  /** These steps, and those of rules that may be about any property. */
  private withOpen(steps: StepList, occupant: Occupant, { route }: PlanState): StepList {
    return this.open.isEmpty ? steps : this.open.together(steps, this.open.stepsOn(occupant, route));
  }

  /** Those of another plan if it creates values at the same paths. */
  private creationsAt(state: PlanState, other: StatePlan | undefined): CreationsOf<StatePlan> {
    if (!this.creates) return NO_CREATIONS;
    if (other?.plan.creatable === this.creatable) return other;
    this.foundCreations ??= new FoundCreations(this.paths, this.creatable, this.placesOfOpen());
    return this.foundCreations.at(state);
  }

  /** The places of the paths at which rules that may be about any property name some of them, to create these. */
  private placesOfOpen(): ReadonlySet<number> {
    if (this.open.isEmpty) return NO_PLACES;
    const isOpen = (place: number): boolean =>
      this.targetsAt[place]?.some(({ occasion }) => occasion === 'open') === true;
    return new Set([...this.targetsAt.keys()].filter(isOpen));
  }

  private onAbsent(targets: readonly Target[], state: PlanState, onPlace: StepList): StepList {
    const isSame = targets.every(({ occasion }) => occasion === 'any');
    return isSame ? onPlace : this.listOf(this.stepsOnAbsent(targets, state));
  }

  private stepsAt(targets: readonly Target[], isLeaf: boolean): readonly PlanStep[] {
    const [only] = targets;
    if (only && targets.length === 1) return isTriedOn(only, isLeaf) ? [this.stepOf(only)] : NO_STEPS;
    const steps: PlanStep[] = [];
    for (const target of targets) if (isTriedOn(target, isLeaf)) steps.push(this.stepOf(target));
    return steps;
  }

  private stepsOnAbsent(targets: readonly Target[], { route }: PlanState): readonly PlanStep[] {
    return targets.flatMap((target) => {
      if (target.occasion === 'open') return this.open.stepsOnAbsent(target, route);
      return isTriedOnAbsent(target) ? [this.stepOf(target)] : [];
    });
  }

  private targetsOf([only, ...others]: readonly number[]): readonly Target[] {
    const first = only === undefined ? NO_TARGETS : (this.targetsAt[only] ?? NO_TARGETS);
    if (others.length === 0) return first;
    return first.concat(others.flatMap((place) => this.targetsAt[place] ?? []));
  }

  /** What is tried at the paths of the rules, and these: compiled, if no state has to know more. */
  private findTargets(
    { properties }: Rules,
    shared: SharedPaths | undefined,
  ): { readonly targets: SortedTargets; readonly paths: SharedPath | PathList } {
    const key = shared && `${JSON.stringify(this.frame)}${this.creates} ${outlineOf(properties)}`;
    const known = key === undefined ? undefined : shared?.get(key);
    const targets =
      known &&
      (this.targetsLike(known, properties) ??
        targetsAmong(properties, known.paths.list, this.combinedNames()));
    if (known && targets) return { targets, paths: known };
    const list = new PathList(this.frame);
    const own = new TargetsByPath(new NewPlaces(list), this.combinedNames());
    own.add(properties);
    if (own.open.length > 0) return { targets: own, paths: list };
    const paths: SharedPath = new SharedPathOf(key ?? '', this.compilePaths(list));
    if (key !== undefined) shared?.set(key, paths);
    return { targets: own, paths };
  }

  /** The same if few rules differ from those of another plan. */
  private targetsLike({ latest, paths }: SharedPath, rules: Rules['properties']): SortedTargets | undefined {
    if (latest === undefined || !latest.open.isEmpty) return undefined;
    const before = { rules: latest.rules, at: latest.targetsAt };
    const at = patchedTargets(before, rules, paths.list, this.combinedNames());
    return at && { at, open: [] };
  }

  private combinedNames(): CombinedNames | undefined {
    return this.creates ? new CombinedNames(this.masks) : undefined;
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
      number: this.stepCount++,
      rank,
      action: compiledAction(rule.action, this.masks),
      condition: isAlways(condition) ? undefined : this.conditions.compile(condition),
      tree: condition,
      policies: rule.policies,
      dryRun: dryRunPolicies(rule),
      assetIds: rule.assetIds,
      isPerRecord: 'condition' in rule.about || rule.assetIds !== undefined,
    };
  }

  private compilePaths(list: PathList, routes?: () => AutomatonRoutes): PlanPaths<StatePlan> {
    return new PlanPaths<StatePlan>(list, { creates: this.creates, frame: this.frame, routes });
  }

  /** @param other a plan with the same paths: if values are created at the same ones, it yields the same set */
  private creatableAmong(all: TargetsAt, other: Plan | undefined): ReadonlySet<number> {
    const known = other?.creatable ?? NO_PLACES;
    const places = new Set<number>();
    for (let place = 0; place < all.length; place++) {
      const targets = all[place] ?? NO_TARGETS;
      if (targets === other?.targetsAt[place] ? known.has(place) : anyCreates(targets, this.masks))
        places.add(place);
    }
    return places.size === known.size && [...places].every((place) => known.has(place)) ? known : places;
  }
}
