import _ from 'lodash';
import { applierOf } from '../actions/applier.ts';
import { ALWAYS, isAlways, isNever, type Condition } from '../conditions/condition.ts';
import { Automaton, type State, type Step } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import type { Path } from '../paths/path.ts';
import { dryRunPolicies, type PropertyRule, type Rules } from '../rule.ts';
import { alternativesOf } from './alternatives.ts';
import { FilterPlan } from './filter.ts';
import { Naming } from './naming.ts';
import { RecordConditions } from './record-condition.ts';
import type { Scope } from './scope.ts';
import { StepList, type PlanStep } from './step.ts';

/** A step that is tried on the property at a path from the root. */
interface Target {
  readonly path: Path;
  readonly step: PlanStep;
  /** Whether containers are left alone. */
  readonly leavesOnly?: boolean;
}

/** The path from a record to everything in it. */
const EVERYTHING_BELOW: Path = [{ kind: 'any' }, { kind: 'descend' }];

/** A rule whose condition tells, for each property of a record, whether it is about it. */
interface OpenRule {
  readonly naming: Naming;
  readonly step: (condition: Condition) => PlanStep;
}

/** A property that may be created: its name as JSON, with the colon, and the state that its value has. */
export interface Creation {
  readonly label: string;
  readonly state: PlanState | undefined;
}

/** What is tried where a state of the automaton stands. */
interface StatePlan {
  readonly onScalar: StepList;
  readonly onContainer: StepList;
  /** On a property that is absent: rules whose path names it. */
  readonly onAbsent: StepList;
  /** The names that a literal may be set at, or below, where the object here lacks them. */
  readonly creatable: readonly string[];
  /** The same names, ready to be written. */
  readonly creations: readonly Creation[];
  /** Of each of those names the place among them. */
  readonly places: NameIndex<number>;
  /** Whether this is the place of such a name. */
  readonly isCreatable: boolean;
}

/** A state with what is tried there. */
export type PlanState = State<StatePlan>;

/**
 * Rules compiled for walking: paths and conditions once a decision, names as far as possible ahead of the records
 * (enforcement §6).
 */
export class Plan {
  /** The state at a place of the root; undefined where no rule is about any property. */
  readonly start: PlanState | undefined;
  readonly filter: FilterPlan;
  private readonly maskString: string;
  private readonly conditions: RecordConditions;
  private readonly open: OpenRule[] = [];
  /** The steps at each path of the automaton, by its number. */
  private readonly stepsAt: readonly (readonly Target[])[];
  /** The paths of the automaton at which a literal may be set if there is nothing, with their place in the order of rules. */
  private readonly creatable: ReadonlyMap<number, number>;
  /** The paths of the automaton that name one property, so that it is meant also where it is absent. */
  private readonly exact: ReadonlySet<number>;

  /**
   * @param maskString what strings become under the default mask
   */
  constructor(rules: Rules, scope: Scope, maskString: string) {
    this.maskString = maskString;
    this.conditions = new RecordConditions(scope);
    this.filter = new FilterPlan(rules, this.conditions);
    const targets = rules.properties.flatMap((rule, rank) => this.targetsOf(rule, rank, scope));
    const byPath = new Map(Object.entries(_.groupBy(targets, keyOf)));
    const numbers = new Map([...byPath.keys()].map((key, number) => [key, number]));
    const paths = [...byPath.values()].flatMap(([first]) => (first ? [first.path] : []));
    this.stepsAt = [...byPath.values()];
    this.exact = new Set(paths.flatMap((path, number) => (isExact(path) ? [number] : [])));
    const literal = targets.filter(({ path, step }) => step.action.created !== undefined && isExact(path));
    const creatable = _.uniq(literal.flatMap((target) => numbers.get(keyOf(target)) ?? []));
    this.creatable = new Map(creatable.map((number, rank) => [number, rank]));
    const isOpen = this.open.length > 0;
    // The path to the records themselves leads there also where no rule names a property.
    const walked = isOpen ? [...paths, scope.below([])] : paths;
    this.start =
      walked.length === 0 ? undefined : new Automaton<StatePlan>(walked, { tellsSteps: isOpen }).start;
  }

  /** What is tried at a state. */
  at(state: PlanState): StatePlan {
    state.note ??= this.compile(state);
    return state.note;
  }

  private compile(state: PlanState): StatePlan {
    const named = this.targetsAt(state.accepts);
    const containing = named.filter(({ leavesOnly }) => leavesOnly !== true);
    const creatable = this.creatable.size === 0 ? [] : state.nextNames(this.creatable);
    const onAbsent = stepsOf(this.targetsAt(state.accepts.filter((number) => this.exact.has(number))));
    return {
      onScalar: StepList.of([...stepsOf(named), ...this.openSteps(state.steps, true)]),
      onContainer: StepList.of([...stepsOf(containing), ...this.openSteps(state.steps, false)]),
      onAbsent: StepList.of(onAbsent),
      creatable,
      creations: creatable.map((name) => ({
        label: `${JSON.stringify(name)}:`,
        state: state.memberNamed(name),
      })),
      places: placesOf(creatable),
      isCreatable: creatable.length > 0 || onAbsent.some(({ action }) => action.created !== undefined),
    };
  }

  private targetsAt(paths: readonly number[]): readonly Target[] {
    return paths.flatMap((number) => this.stepsAt[number] ?? []);
  }

  private openSteps(steps: readonly Step[] | undefined, isLeaf: boolean): PlanStep[] {
    if (steps === undefined || steps.length === 0) return [];
    return this.open.flatMap(({ naming, step }) => {
      const condition = naming.decide(steps, isLeaf);
      return isNever(condition) ? [] : [step(condition)];
    });
  }

  private targetsOf(rule: PropertyRule, rank: number, scope: Scope): Target[] {
    const step = (condition: Condition) => this.step(rule, rank, condition);
    if ('properties' in rule.about) {
      const paths = rule.about.properties.flatMap((path) => scope.fromRoot(path));
      // What is asked of some records only is asked of each of those, not of the root that holds them all.
      const targets = rule.assetIds
        ? paths.map((path) => (path.length === 0 ? scope.below(path) : path))
        : paths;
      return targetsAt(targets, ALWAYS, step);
    }
    return alternativesOf(rule.about.condition).flatMap((condition) => {
      const naming = new Naming(condition, scope);
      if (!naming.asksNames)
        return [{ path: scope.below(EVERYTHING_BELOW), step: step(condition), leavesOnly: true }];
      if (!naming.isComplete()) this.open.push({ naming, step });
      return naming.named().flatMap((named) => targetsAt([scope.below(named.path)], named.condition, step));
    });
  }

  private step(rule: PropertyRule, rank: number, condition: Condition): PlanStep {
    return {
      rank,
      action: applierOf(rule.action, this.maskString),
      condition: isAlways(condition) ? undefined : this.conditions.compile(condition),
      policies: rule.policies,
      dryRun: dryRunPolicies(rule),
      assetIds: rule.assetIds,
    };
  }
}

function stepsOf(targets: readonly Target[]): readonly PlanStep[] {
  return targets.map(({ step }) => step);
}

function targetsAt(
  paths: readonly Path[],
  condition: Condition,
  step: (condition: Condition) => PlanStep,
): Target[] {
  const compiled = step(condition);
  return paths.map((path) => ({ path, step: compiled }));
}

const NO_NAMES = new NameIndex<number>();

function placesOf(names: readonly string[]): NameIndex<number> {
  if (names.length === 0) return NO_NAMES;
  const index = new NameIndex<number>();
  for (const [place, name] of names.entries()) index.set(name, place);
  return index;
}

function keyOf({ path }: Target): string {
  return JSON.stringify(path);
}

/** Whether a path names each property on its way: elements may be any, names are no patterns. */
function isExact(path: Path): boolean {
  return path.every(
    ({ kind }) => kind === 'name' || kind === 'index' || kind === 'each' || kind === 'record',
  );
}
