import _ from 'lodash';
import type { Action, MaskSettings } from '../actions/action.ts';
import type { CompiledAction } from '../actions/mask-result.ts';
import { ALWAYS, isAlways, isNever, NEVER, type Condition } from '../conditions/condition.ts';
import type { AutomatonRoutes } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import { pathKey, type Path, type Segment } from '../paths/path.ts';
import { ElementSteps } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
import { dryRunPolicies, type PropertyRule, type Rules } from '../rule.ts';
import { alternativesOf, mentionsNames, nameOf, namesToCreate } from './alternatives.ts';
import { FilterPlan } from './filter.ts';
import type { Frame } from './frame.ts';
import { elementsNamedIn, isIndexed, leavesOn, Naming, textsIn, type Occupant } from './naming.ts';
import { ANYTHING_IN_RECORD, PlanPaths, type PlanPath } from './plan-paths.ts';
import { PlanRoute, PlanRoutes } from './plan-route.ts';
import { RecordConditions } from './record-condition.ts';
import { StepList, type PlanStep } from './step.ts';
import { Trails, type Trail } from './trail.ts';

/** What is tried on the properties at a path. */
interface Target {
  /** A step; or a rule that is about any property, and so names this one only to have it created. */
  readonly step: PlanStep | OpenRule;
  /** Whether only leaves are meant. */
  readonly leavesOnly: boolean;
}

/** A path with what is tried there, in the order of the rules. */
interface Targets extends PlanPath {
  readonly targets: Target[];
}

/** A rule whose condition is decided anew for each property: it may be about any. */
interface OpenRule {
  /** Its place among the open rules. */
  readonly index: number;
  readonly trails: Trails;
  readonly action: CompiledAction;
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

/** Where plans that have the same paths find them compiled, by keys. What it forgets is compiled anew. */
export interface SharedPaths {
  get(key: string): PlanPaths<StatePlan> | undefined;
  set(key: string, paths: PlanPaths<StatePlan>): unknown;
}

/** How many states a plan remembers what it tries at, if other plans meet them too. */
const MAX_REMEMBERED = 2048;

const NO_CREATIONS: readonly Creation[] = [];
const NO_PLACES: ReadonlySet<number> = new Set();
const NO_NAMES = new NameIndex<number>();
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
  private readonly open: OpenRule[] = [];
  /** Whether any rule sets the value of an absent property. */
  private readonly creates: boolean;
  private readonly actions = new Map<Action, CompiledAction>();
  /** The targets at each path, by its place. */
  private readonly targetsAt: readonly Targets[];
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
    this.conditions = new RecordConditions(frame);
    this.filter = new FilterPlan(rules, this.conditions);
    this.creates = rules.properties.some(({ action }) => this.compiled(action).created !== undefined);
    const byKey = new Map<string, Targets>();
    for (const [rank, rule] of rules.properties.entries()) this.addTargets(byKey, rule, rank);
    this.targetsAt = [...byKey.values()];
    this.creatable = this.creates ? creatableAmong(this.targetsAt) : NO_PLACES;
    this.paths =
      this.open.length > 0 ? this.compilePaths(this.routesFor(rules)) : this.sharedPaths(byKey, shared);
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

  /** The state at a root ({@link PlanPaths.atRoot}). */
  atRoot(state: PlanState | undefined, creators: readonly number[], names: number): PlanState | undefined {
    return this.paths.atRoot(state, creators, names);
  }

  /** The paths that create what is missing ({@link PlanPaths.creatorsFor}). */
  creatorsFor(roots: Parameters<PlanPaths<StatePlan>['creatorsFor']>[0]): readonly number[] {
    return this.paths.creatorsFor(roots);
  }

  private recall(state: PlanState): StatePlan {
    const known = this.remembered.get(state);
    const plan = known ?? this.compile(state);
    state.note = plan;
    if (known === undefined && state.isKept) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(state, plan);
    }
    return plan;
  }

  private compile(state: PlanState): StatePlan {
    const isRecord = state.route instanceof PlanRoute && state.route.place === 'record';
    const targets = this.targets(state);
    const onPlace = StepList.of(stepsAt(targets, false));
    const onLeaf = targets.some(({ leavesOnly }) => leavesOnly)
      ? StepList.of(stepsAt(targets, true))
      : onPlace;
    const created = this.creationsFrom(state, CREATED_IN_OBJECT);
    const onAbsent = this.creates ? this.onAbsent(targets, state, onPlace) : StepList.NONE;
    const withOpen = (steps: StepList, occupant: Occupant): StepList => {
      const open = this.stepsOn(occupant, state);
      return open.length === 0 ? steps : StepList.of([...steps.all, ...open]);
    };
    return {
      plan: this,
      onScalar: withOpen(onLeaf, 'scalar'),
      onObject: withOpen(onPlace, isRecord ? 'record' : 'object'),
      onOther: withOpen(onPlace, isRecord ? 'record' : 'other'),
      onPlace,
      onAbsent,
      creations: created,
      creationsAnew: this.creationsFrom(state, CREATED_ANEW),
      places: placesOf(created),
      isCreatable: created.length > 0 || onAbsent.all.some(({ action }) => action.created !== undefined),
    };
  }

  private creationsFrom(state: PlanState, kinds: ReadonlySet<Segment['kind']>): readonly Creation[] {
    if (!this.creates) return NO_CREATIONS;
    const creating = this.paths.creatingFrom(state, this.creatable, kinds);
    return creating ? creationsAt(creating.state, creating.names) : NO_CREATIONS;
  }

  private onAbsent(targets: readonly Target[], state: PlanState, onPlace: StepList): StepList {
    return targets.some(({ step }) => isOpen(step)) ? StepList.of(stepsOnAbsent(targets, state)) : onPlace;
  }

  private targets(state: PlanState): readonly Target[] {
    const [only, ...others] = this.paths.placesAt(state);
    const first = only === undefined ? [] : (this.targetsAt[only]?.targets ?? []);
    if (others.length === 0) return first;
    return first.concat(others.flatMap((place) => this.targetsAt[place]?.targets ?? []));
  }

  /** What rules ask that are about any property: of those in a record. */
  private stepsOn(occupant: Occupant, { route }: PlanState): PlanStep[] {
    if (!(route instanceof PlanRoute) || route.place === 'above') return [];
    return this.open.flatMap((rule) => stepsOf(rule, route.trails[rule.index], occupant));
  }

  private addTargets(byKey: Map<string, Targets>, rule: PropertyRule, rank: number): void {
    const step = (condition: Condition) => this.step(rule, rank, condition);
    if ('properties' in rule.about) {
      addAll(byKey, rule.about.properties, step(ALWAYS));
      return;
    }
    for (const condition of alternativesOf(rule.about.condition)) {
      if (!mentionsNames(condition)) {
        add(byKey, ANYTHING_IN_RECORD, { step: step(condition), leavesOnly: true });
        continue;
      }
      const named = nameOf(condition);
      if (named) {
        addAll(byKey, named.paths, step(named.condition));
        continue;
      }
      const open = this.opened(rule, condition, step);
      this.open.push(open);
      if (this.creates) addAll(byKey, namesToCreate(condition), open);
    }
  }

  private opened({ action }: PropertyRule, condition: Condition, step: OpenRule['step']): OpenRule {
    const trails = new Trails(new Naming(condition, this.frame));
    return { index: this.open.length, trails, action: this.compiled(action), step: _.memoize(step) };
  }

  private step(rule: PropertyRule, rank: number, condition: Condition): PlanStep {
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
    const known = this.actions.get(action);
    if (known) return known;
    const compiled = action.compile(this.masks);
    this.actions.set(action, compiled);
    return compiled;
  }

  private sharedPaths(
    byKey: ReadonlyMap<string, Targets>,
    shared: SharedPaths | undefined,
  ): PlanPaths<StatePlan> {
    if (shared === undefined) return this.compilePaths();
    // Each key says itself where it ends; that of `$` is empty.
    const key = `${JSON.stringify(this.frame)}${this.creates} ${byKey.size} ${[...byKey.keys()].join('|')}`;
    const known = shared.get(key);
    if (known) return known;
    const paths = this.compilePaths();
    shared.set(key, paths);
    return paths;
  }

  private compilePaths(routes?: AutomatonRoutes): PlanPaths<StatePlan> {
    return new PlanPaths<StatePlan>(this.targetsAt, this.creates, this.frame, routes);
  }

  private routesFor({ properties }: Rules): AutomatonRoutes {
    const leaves = properties.flatMap(({ about }) =>
      'condition' in about
        ? [...leavesOn(about.condition, 'property'), ...leavesOn(about.condition, 'prefix')]
        : [],
    );
    const { segments, all } = elementsNamedIn(leaves);
    const inPaths = this.targetsAt.flatMap(({ path }) => path.filter(isIndexed));
    const elements = new ElementSteps([...segments, ...inPaths], all);
    const top = new PlanRoutes().top(this.open.map(({ trails }) => trails));
    return { top, elements, texts: textsIn(leaves), segments: leaves.flatMap(({ paths }) => paths.flat()) };
  }
}

function addAll(byKey: Map<string, Targets>, paths: readonly Path[], step: Target['step']): void {
  for (const path of paths)
    add(byKey, { key: pathKey(path), path, inRecordOnly: false }, { step, leavesOnly: false });
}

function add(byKey: Map<string, Targets>, path: PlanPath, target: Target): void {
  const known = byKey.get(path.key);
  if (known) known.targets.push(target);
  else byKey.set(path.key, { ...path, targets: [target] });
}

function creatableAmong(all: readonly Targets[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const [place, { targets }] of all.entries())
    if (targets.some(({ step }) => step.action.created !== undefined)) places.add(place);
  return places;
}

function isOpen(step: Target['step']): step is OpenRule {
  return 'trails' in step;
}

function stepsOf({ step }: OpenRule, trail: Trail | undefined, occupant: Occupant): readonly PlanStep[] {
  const condition = trail?.decide(occupant) ?? NEVER;
  return isNever(condition) ? [] : [step(condition)];
}

function creationsAt(state: PlanState, names: readonly string[]): readonly Creation[] {
  return names.map((name) => ({ name, label: `${JSON.stringify(name)}:`, state: state.memberNamed(name) }));
}

function placesOf(creations: readonly Creation[]): NameIndex<number> {
  if (creations.length === 0) return NO_NAMES;
  const index = new NameIndex<number>();
  for (const [place, { name }] of creations.entries()) index.set(name, place);
  return index;
}

function stepsAt(targets: readonly Target[], isLeaf: boolean): readonly PlanStep[] {
  const steps: PlanStep[] = [];
  for (const { step, leavesOnly } of targets) if (!isOpen(step) && (isLeaf || !leavesOnly)) steps.push(step);
  return steps;
}

function stepsOnAbsent(targets: readonly Target[], { route }: PlanState): readonly PlanStep[] {
  return targets.flatMap(({ step, leavesOnly }) => {
    if (!isOpen(step)) return leavesOnly ? [] : [step];
    return route instanceof PlanRoute ? stepsOf(step, route.trails[step.index], 'absent') : [];
  });
}
