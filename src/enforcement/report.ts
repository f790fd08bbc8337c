import {
  SUBJECT,
  identifierAt,
  namesOf,
  readTokenClaims,
  scalarTextAt,
  stringAt,
  valueOf,
  type DryRun,
  type Effect,
  type Frame,
  type JsonDocument,
  type Node,
  type Observer,
  type Policy,
  type RecordView,
  type Rules,
  type Witness,
  type JsonPart,
} from '../core/index.ts';
import { shortened } from '../shortened.ts';
import { Audit } from './audit.ts';
import { DryRunLog } from './dry-run.ts';
import type { Intent } from './intent.ts';
import type { Log, Ports } from './ports.ts';
import type { HeaderFields } from './question.ts';
import type { GivenWarnings } from './warning-once.ts';

/** How much of a payload enforcement met and changed. */
export interface Counts {
  records: number;
  /** Properties. */
  masked: number;
  /** Properties that were null or empty. */
  set: number;
  /** Properties that were absent. */
  created: number;
  /** Properties and elements of lists. */
  removedProperties: number;
  /** Records that a filter removed. */
  removed: number;
  /** Records to which a policy in dry run would have been applied, counted once a policy. */
  skipped: number;
  /** Values that conditions compared and that do not read as the condition's type. */
  unreadable: number;
}

/** For a payload that is only explained: nobody gets it, so no line says what was done or skipped for a user. */
const NO_LOG: Log = { warn: () => undefined, info: () => undefined };

/** What enforcement reports of one payload: counts, and the lines of the log about dry runs, the audit and doubtful rules. */
export class Report implements Observer {
  readonly counts: Counts = {
    records: 0,
    masked: 0,
    set: 0,
    created: 0,
    removedProperties: 0,
    removed: 0,
    skipped: 0,
    unreadable: 0,
  };
  /** Follows the walk for an explanation. */
  readonly witness: Witness | undefined;
  readonly #log: Log;
  /** For lines about a user who gets the payload. */
  readonly #userLog: Log;
  readonly #intent: Intent;
  readonly #frame: Frame;
  /** Made when first used: few requests meet a policy in dry run. */
  #dryRuns: DryRunLog | undefined;
  readonly #audit: Audit | undefined;
  readonly #warnings: GivenWarnings;

  constructor(
    intent: Intent,
    frame: Frame,
    { log, settings, warnings }: Ports,
    witness: Witness | undefined,
  ) {
    this.witness = witness;
    this.#log = log;
    this.#userLog = witness === undefined ? log : NO_LOG;
    this.#warnings = warnings;
    this.#intent = intent;
    this.#frame = frame;
    this.#audit = settings.audit ? new Audit(this.#userLog, userOnce(intent)) : undefined;
  }

  record(): void {
    this.counts.records++;
  }

  changed(effect: Effect, policies: readonly Policy[], record: Node | undefined): void {
    this.#count(effect);
    if (this.#audit) this.#audit.changed(effect, policies, record);
  }

  removed(): void {
    this.counts.removed++;
    this.#audit?.removed();
  }

  unreadable(): void {
    this.counts.unreadable++;
  }

  get followsDryRuns(): boolean {
    return this.#dryRuns?.isOpen ?? true;
  }

  skipped(policies: readonly (Policy & { dryRun: DryRun })[], record: RecordView): void {
    this.#dryRuns ??= new DryRunLog(this.#userLog, userOnce(this.#intent), this.#frame);
    this.counts.skipped += this.#dryRuns.skipped(policies, record);
  }

  /** Names are written out, as this is called for each property that changes. */
  #count(effect: Effect): void {
    const { counts } = this;
    if (effect === 'masked') counts.masked++;
    else if (effect === 'set') counts.set++;
    else if (effect === 'created') counts.created++;
    else counts.removedProperties++;
  }

  /** Logs what the whole payload shows. */
  finish(rules: Rules, lacksFilterRules: boolean): void {
    if (lacksFilterRules)
      this.#log.warn('No FILTER rule allows records: keeping all that none denies (filterDefault: allow)');
    if (rules.hasIdleFilters && this.#intent.parameters.filter === undefined) {
      const onceLog = this.#warnings.through(this.#log);
      onceLog.warn('FILTER rules of the PDP do nothing: filter is not true');
    }
    this.#audit?.log(rules);
    const { unreadable } = this.counts;
    if (unreadable > 0)
      this.#log.warn('Conditions met values of another type, which never match', {
        count: unreadable,
      });
  }
}

/** Gives the user of a request, who is looked up once. */
function userOnce(intent: Intent): () => string {
  let known: string | undefined;
  return () => (known ??= shortened(userOf(intent)));
}

const UNKNOWN = 'unknown';

/**
 * The user of a request, for the log: `vendor.entityId`, else the `sub` of the claims that were verified, else that of the forwarded
 * JWT (read, not verified), else `unknown`.
 */
export function userOf({ vendor, headers, claims }: Pick<Intent, 'vendor' | 'headers' | 'claims'>): string {
  return entityIdOf(vendor) ?? (claims && subjectIn(claims)) ?? forwardedSubject(headers) ?? UNKNOWN;
}

function entityIdOf({ doc, node }: JsonPart): string | undefined {
  const name = Array.from(namesOf(doc, node)).findLast((one) => stringAt(doc, one) === 'entityId');
  return (name && scalarTextAt(doc, valueOf(name))) || undefined;
}

function forwardedSubject(headers: HeaderFields): string | undefined {
  const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const token = /^bearer +(\S+)$/iu.exec(authorization)?.[1];
  const claims = token === undefined ? undefined : readTokenClaims(token);
  return claims && subjectIn(claims);
}

function subjectIn(claims: JsonDocument): string | undefined {
  const subject = identifierAt(claims, SUBJECT);
  return typeof subject === 'object' ? subject.text : undefined;
}
