/** A comparison with what it found in a record, or several conditions with what came of them together. */
export interface Condition {
  readonly holds: boolean;
  readonly AND?: readonly Condition[] | undefined;
  readonly OR?: readonly Condition[] | undefined;
  readonly attribute?: string | undefined;
  readonly operator?: string | undefined;
  readonly read?: 'present' | 'absent' | 'unreadable' | undefined;
}

/** A rule that is about a place and was not applied there. */
export interface Lost {
  readonly rule: number;
  readonly because: 'priority' | 'condition' | 'dryRun';
  readonly condition?: Condition | undefined;
}

/** A place that rules are about. */
export interface Change {
  readonly pointer: string;
  readonly effect: 'masked' | 'set' | 'created' | 'removed' | 'unchanged';
  /** The rule that was applied, if any was. */
  readonly rule?: number | undefined;
  readonly condition?: Condition | undefined;
  readonly lost: readonly Lost[];
}

/** What filters say of a record. */
export interface RecordReason {
  readonly pointer: string;
  readonly kept: boolean;
  readonly because: readonly {
    readonly rule: number;
    readonly holds: boolean;
    readonly condition?: Condition | undefined;
  }[];
}

type Members<T> = { readonly [Name in keyof T]?: unknown };

const READ: ReadonlySet<unknown> = new Set([undefined, 'present', 'absent', 'unreadable']);
const BECAUSE: ReadonlySet<unknown> = new Set(['priority', 'condition', 'dryRun']);
const EFFECTS: ReadonlySet<unknown> = new Set(['masked', 'set', 'created', 'removed', 'unchanged']);

export function isChange(value: unknown): value is Change {
  if (!isObject(value)) return false;
  const { pointer, effect, rule, condition, lost }: Members<Change> = value;
  return (
    typeof pointer === 'string' &&
    EFFECTS.has(effect) &&
    (rule === undefined || typeof rule === 'number') &&
    (condition === undefined || isCondition(condition)) &&
    Array.isArray(lost) &&
    lost.every(isLost)
  );
}

export function isRecordReason(value: unknown): value is RecordReason {
  if (!isObject(value)) return false;
  const { pointer, kept, because }: Members<RecordReason> = value;
  return (
    typeof pointer === 'string' &&
    typeof kept === 'boolean' &&
    Array.isArray(because) &&
    because.every(isFilterReason)
  );
}

function isFilterReason(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { rule, holds, condition }: Members<RecordReason['because'][number]> = value;
  return (
    typeof rule === 'number' &&
    typeof holds === 'boolean' &&
    (condition === undefined || isCondition(condition))
  );
}

function isLost(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { rule, because, condition }: Members<Lost> = value;
  return (
    typeof rule === 'number' && BECAUSE.has(because) && (condition === undefined || isCondition(condition))
  );
}

function isCondition(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { holds, AND, OR, attribute, operator, read }: Members<Condition> = value;
  return (
    typeof holds === 'boolean' &&
    areConditions(AND) &&
    areConditions(OR) &&
    isTextIfAny(attribute) &&
    isTextIfAny(operator) &&
    READ.has(read)
  );
}

function areConditions(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isCondition));
}

function isTextIfAny(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
