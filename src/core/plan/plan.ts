import _ from 'lodash';
import type { MaskSettings } from '../actions/action.ts';
import type { CompiledAction } from '../actions/mask-result.ts';
import { ALWAYS, isAlways, isNever, NEVER, type Condition } from '../conditions/condition.ts';
import { Automaton, type AutomatonRoutes, type State } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import { isLiteral, mayNameRoot, pathKey, type Path, type Segment } from '../paths/path.ts';
import { ElementSteps } from '../paths/route.ts';
import { dryRunPolicies, type PropertyRule, type Rules } from '../rule.ts';
import { alternativesOf, mentionsNames, nameOf, namesToCreate } from './alternatives.ts';
import { FilterPlan } from './filter.ts';
import { matchedAtPayload, stateAtPayload, type Frame } from './frame.ts';
import { elementsNamedIn, isIndexed, leavesOn, Naming, textsIn, type Occupant } from './naming.ts';
import { PlanRoute, PlanRoutes } from './plan-route.ts';
import { RecordConditions } from './record-condition.ts';
import { StepList, type PlanStep } from './step.ts';
import { Trails, type Trail } from './trail.ts';

/** What is tried on the properties at a path. */
interface Target {
  /** From the record if it begins with the mark for the record, else from the payload. */
  readonly path: Path;
  /** The same for the same path. */
  readonly key: string;
  /** A step; or a rule that is about any property, and so names this one only to have it created. */
  readonly step: PlanStep | OpenRule;
  /** Whether only leaves are meant. */
  readonly leavesOnly?: boolean;
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
interface StatePlan {
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
  /** The same if there is no object here: digits may then be an index as well as a name, and create nothing. */
  readonly creationsAnew: readonly Creation[];
  /** The place of each of those names among them. */
  readonly places: NameIndex<number>;
  /** Whether this is the place of such a name. */
  readonly isCreatable: boolean;
}

/** A state with what is tried there. */
export type PlanState = State<StatePlan>;

const RECORD: Segment = { kind: 'record', purpose: 'match' };
const RECORD_TO_CREATE_IN: Segment = { kind: 'record', purpose: 'create' };

/** What the keys of paths that begin at records begin with; no other key begins with a letter. */
const MATCHES = 'record ';
const CREATES = 'create ';

function inRecord(path: Path, key = pathKey(path)): { readonly path: Path; readonly key: string } {
  return { path: [RECORD, ...path], key: `${MATCHES}${key}` };
}

/** The path from a record to itself and everything in it. */
const ANYTHING_IN_RECORD = inRecord([{ kind: 'descend' }]);

/**
 * Rules compiled for walking: paths and conditions once a decision, names as far as possible before any record is known
 * (enforcement §3, §6).
 */
export class Plan {
  /** The state at the payload; undefined if no rule is about any property. */
  readonly top: PlanState | undefined;
  readonly filter: FilterPlan;
  /** What conditions read, and what identifies records. */
  readonly conditions: RecordConditions;
  private readonly masks: MaskSettings;
  private readonly frame: Frame;
  private readonly open: OpenRule[] = [];
  /** Whether any rule sets a value where there is none. */
  private readonly creates: boolean;
  private readonly automaton: Automaton<StatePlan> | undefined;
  private readonly rootStates = new WeakMap<PlanState, Map<string, PlanState>>();
  private readonly paths: readonly Path[];
  /** The targets at each path of the automaton, by its number. */
  private readonly targetsAt: readonly (readonly Target[])[];
  /** The paths of the automaton that begin at the record, and match what is there. */
  private readonly fromRecord: readonly number[];
  /** The paths that begin at the record and create what is missing, by number; with the one that begins at the payload. */
  private readonly creators: ReadonlyMap<number, number>;
  /** Of each path, after how many of its segments the rest names properties one by one. */
  private readonly exactFrom: readonly number[];
  /** The paths of the automaton at which a literal may be set, in the order of their rules. */
  private readonly creatable: ReadonlyMap<number, number>;

  /**
   * @param masks how values are masked, unless the rules say otherwise
   */
  constructor(rules: Rules, frame: Frame, masks: MaskSettings) {
    this.masks = {
      maskString: masks.maskString,
      maskShort: rules.maskShort ?? masks.maskShort,
    };
    this.frame = frame;
    this.conditions = new RecordConditions(frame);
    this.filter = new FilterPlan(rules, this.conditions);
    this.creates = rules.properties.some(({ action }) => action.compile(this.masks).created !== undefined);
    const targets = rules.properties.flatMap((rule, rank) => this.targetsOf(rule, rank));
    const byPath = [...Map.groupBy(targets, ({ key }) => key).values()];
    this.targetsAt = byPath;
    this.paths = byPath.flatMap(([first]) => (first ? [first.path] : []));
    const numbers = this.paths.map((path, number) => [path, number] as const);
    this.fromRecord = numbers.flatMap(([[first], number]) => (first === RECORD ? [number] : []));
    this.creators = this.creates ? creatorsAmong(byPath.flatMap(([first]) => first ?? [])) : new Map();
    const fromPayload = numbers.filter(([[first]]) => first?.kind !== 'record');
    this.exactFrom = this.creates ? this.paths.map(exactFrom) : [];
    this.creatable = this.creates ? creatableAmong(byPath) : new Map();
    if (this.paths.length === 0 && this.open.length === 0) return;
    const routes = this.open.length === 0 ? undefined : this.routesFor(rules);
    this.automaton = new Automaton<StatePlan>(this.paths, { routes });
    this.top = stateAtPayload(this.automaton, fromPayload, frame);
  }

  /** What is tried at a state. */
  at(state: PlanState): StatePlan {
    state.note ??= this.compile(state);
    return state.note;
  }

  /**
   * The state at a root, for the state at the value that it is: from here on paths also begin at records. A path with a
   * wildcard does not name a root.
   *
   * @param creators those of {@link creatorsFor}
   * @param names how many properties lead to the root
   */
  atRoot(state: PlanState | undefined, creators: readonly number[], names: number): PlanState | undefined {
    const isNamed = (path: number, matched: number) => {
      if (names === 0 && matched === 0 && this.isNamedTwice(path)) return false;
      return matched < this.lengthOf(path) || mayNameRoot(this.paths[path] ?? [], names);
    };
    const begun = [...this.fromRecord, ...creators];
    if (state === undefined) return this.automaton?.startOf(begun.map((path) => [path, 0]));
    const byCreators = this.rootStates.get(state) ?? new Map<string, PlanState>();
    const key = `${creators.join(' ')}/${names}`;
    const known = byCreators.get(key) ?? state.with(isNamed, begun, state.route?.atRoot(names));
    this.rootStates.set(state, byCreators.set(key, known));
    return known;
  }

  /** Whether the beginning of a path names the payload: at a root that is the payload, it is not a property there. */
  private isNamedTwice(path: number): boolean {
    return matchedAtPayload(this.paths[path] ?? [], this.frame).length > 1;
  }

  private compile(state: PlanState): StatePlan {
    const isRecord = state.route instanceof PlanRoute && state.route.place === 'record';
    const targets = this.targets(state);
    const placed = stepsAt(targets, false);
    const onLeaf = stepsAt(targets, true);
    const creating = this.creates ? state.with((path, matched) => this.mayCreate(path, matched), []) : state;
    const creatable = this.creates ? creating.nextNames(this.creatable, CREATED_IN_OBJECT) : [];
    const onAbsent = this.creates ? stepsOnAbsent(targets, state) : [];
    const open = (occupant: Occupant) => this.stepsOn(occupant, state);
    return {
      onScalar: StepList.of([...onLeaf, ...open('scalar')]),
      onObject: StepList.of([...placed, ...open(isRecord ? 'record' : 'object')]),
      onOther: StepList.of([...placed, ...open(isRecord ? 'record' : 'other')]),
      onPlace: StepList.of(placed),
      onAbsent: StepList.of(onAbsent),
      creations: creationsAt(creating, creatable),
      creationsAnew: creationsAt(
        creating,
        this.creates ? creating.nextNames(this.creatable, CREATED_ANEW) : [],
      ),
      places: placesOf(creatable),
      isCreatable: creatable.length > 0 || onAbsent.some(({ action }) => action.created !== undefined),
    };
  }

  /**
   * Which of the paths that begin at records create what is missing: not those that lead to a root from the payload, which
   * are about the payload.
   *
   * @param roots of each root the state at the value that it is, and whether that is an array
   */
  creatorsFor(roots: Iterable<{ readonly state: PlanState; readonly isArray: boolean }>): readonly number[] {
    if (this.creators.size === 0) return [];
    const ofPayload = new Set<number>();
    for (const { state, isArray } of roots) {
      for (const [path, matched] of state.matched())
        if (this.leads(path, matched, isArray)) ofPayload.add(path);
    }
    return [...this.creators].flatMap(([creator, twin]) =>
      ofPayload.has(twin) || this.beginsWithJson(twin) ? [] : [creator],
    );
  }

  /** Whether a path leads to a root by names, `#` and indexes. */
  private leads(path: number, matched: number, isArray: boolean): boolean {
    const segments = this.paths[path] ?? [];
    const next = segments[matched]?.kind;
    const isElement = isArray && next !== undefined && ELEMENT_KINDS.has(next);
    return (matched > 0 || isElement) && segments.slice(0, matched).every(isLiteral);
  }

  private beginsWithJson(path: number): boolean {
    const first = this.paths[path]?.[0];
    return this.frame.isJsonNamed && first?.kind === 'name' && first.name === 'json';
  }

  private mayCreate(path: number, matched: number): boolean {
    return matched >= (this.exactFrom[path] ?? 0) && this.paths[path]?.[0] !== RECORD;
  }

  private targets(state: PlanState): readonly Target[] {
    return state.accepts.flatMap((path) => this.targetsAt[path] ?? []);
  }

  /** What rules ask that are about any property: of those in a record. */
  private stepsOn(occupant: Occupant, { route }: PlanState): PlanStep[] {
    if (!(route instanceof PlanRoute) || route.place === 'above') return [];
    return this.open.flatMap((rule) => stepsOf(rule, route.trails[rule.index], occupant));
  }

  private targetsOf(rule: PropertyRule, rank: number): readonly Target[] {
    const step = (condition: Condition) => this.step(rule, rank, condition);
    if ('properties' in rule.about) return this.targetsFor(rule.about.properties, step(ALWAYS));
    return alternativesOf(rule.about.condition).flatMap((condition) => {
      if (!mentionsNames(condition))
        return [{ ...ANYTHING_IN_RECORD, step: step(condition), leavesOnly: true }];
      const named = nameOf(condition);
      if (named) return this.targetsFor(named.paths, step(named.condition));
      const action = rule.action.compile(this.masks);
      const trails = new Trails(new Naming(condition, this.frame));
      const open = { index: this.open.length, trails, action, step: _.memoize(step) };
      this.open.push(open);
      return this.creates ? this.targetsFor(namesToCreate(condition), open) : [];
    });
  }

  /** A path of a decision is read in two ways: from the record, and from the payload. */
  private targetsFor(paths: readonly Path[], step: Target['step']): readonly Target[] {
    return paths.flatMap((path) => {
      const key = pathKey(path);
      return [
        { ...inRecord(path, key), step },
        ...(this.creates ? [{ path: [RECORD_TO_CREATE_IN, ...path], key: `${CREATES}${key}`, step }] : []),
        { path, key, step },
      ];
    });
  }

  private step(rule: PropertyRule, rank: number, condition: Condition): PlanStep {
    return {
      rank,
      action: rule.action.compile(this.masks),
      condition: isAlways(condition) ? undefined : this.conditions.compile(condition),
      tree: condition,
      policies: rule.policies,
      dryRun: dryRunPolicies(rule),
      assetIds: rule.assetIds,
      isPerRecord: 'condition' in rule.about || rule.assetIds !== undefined,
    };
  }

  private routesFor({ properties }: Rules): AutomatonRoutes {
    const leaves = properties.flatMap(({ about }) =>
      'condition' in about
        ? [...leavesOn(about.condition, 'property'), ...leavesOn(about.condition, 'prefix')]
        : [],
    );
    const { segments, all } = elementsNamedIn(leaves);
    const elements = new ElementSteps([...segments, ...this.paths.flat().filter(isIndexed)], all);
    const top = new PlanRoutes().top(this.open.map(({ trails }) => trails));
    return { top, elements, texts: textsIn(leaves), segments: leaves.flatMap(({ paths }) => paths.flat()) };
  }

  private lengthOf(path: number): number {
    return this.paths[path]?.length ?? 0;
  }
}

/** Of each path that creates what is missing in records, the one that reads the same from the payload, by number. */
function creatorsAmong(targets: readonly Target[]): ReadonlyMap<number, number> {
  const numbers = new Map(targets.map(({ key }, number) => [key, number]));
  return new Map(
    targets.flatMap(({ key }, number) => {
      const twin = key.startsWith(CREATES) ? numbers.get(key.slice(CREATES.length)) : undefined;
      return twin === undefined ? [] : [[number, twin] as const];
    }),
  );
}

/** The paths at which a literal may be set. */
function creatableAmong(byPath: readonly (readonly Target[])[]): ReadonlyMap<number, number> {
  const numbers = [...byPath.keys()].filter((number) =>
    byPath[number]?.some(({ step }) => step.action.created !== undefined),
  );
  return new Map(numbers.map((number) => [number, number]));
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

const NO_NAMES = new NameIndex<number>();

function placesOf(names: readonly string[]): NameIndex<number> {
  if (names.length === 0) return NO_NAMES;
  const index = new NameIndex<number>();
  for (const [place, name] of names.entries()) index.set(name, place);
  return index;
}

/** What selects elements of an array. */
const ELEMENT_KINDS: ReadonlySet<Segment['kind']> = new Set(['each', 'index', 'any', 'slice', 'union']);
const CREATED_IN_OBJECT: ReadonlySet<Segment['kind']> = new Set(['name', 'index']);
const CREATED_ANEW: ReadonlySet<Segment['kind']> = new Set(['name']);

/**
 * How many segments of a path have to be matched before the rest of it names properties one by one. What follows `..` has
 * to exist.
 */
function exactFrom(path: Path): number {
  const last = path.findLastIndex((segment) => segment.kind !== 'record' && !isLiteral(segment));
  return last < 0 ? 0 : last + (path[last]?.kind === 'descend' ? 2 : 1);
}

function stepsAt(targets: readonly Target[], isLeaf: boolean): readonly PlanStep[] {
  return targets.flatMap(({ step, leavesOnly }) =>
    isOpen(step) || (leavesOnly === true && !isLeaf) ? [] : [step],
  );
}

function stepsOnAbsent(targets: readonly Target[], { route }: PlanState): readonly PlanStep[] {
  return targets.flatMap(({ step, leavesOnly }) => {
    if (!isOpen(step)) return leavesOnly === true ? [] : [step];
    return route instanceof PlanRoute ? stepsOf(step, route.trails[step.index], 'absent') : [];
  });
}
