import _ from 'lodash';
import {
  RecordAttribute,
  UNREADABLE,
  type DryRun,
  type Frame,
  type Node,
  type Policy,
  type RecordView,
} from '../core/index.ts';
import type { Log } from './ports.ts';

const UNKNOWN = 'unknown';

/** Logs what policies in dry run would have done, one line for each record and policy (docs/enforcement.md#dry-run). */
export class DryRunLog {
  private readonly log: Log;
  private readonly user: () => string;
  private readonly frame: Frame;
  private readonly identifiers = new Map<DryRun['property'], RecordAttribute>();
  private record: Node | undefined;
  private readonly logged = new Set<string>();

  /**
   * @param user is called only if there is something to log
   * @param frame what names the payload in paths that begin at it
   */
  constructor(log: Log, user: () => string, frame: Frame) {
    this.log = log;
    this.user = user;
    this.frame = frame;
  }

  /** @returns how many lines were logged */
  skipped(policies: readonly (Policy & { dryRun: DryRun })[], record: RecordView): number {
    if (record.node !== this.record) this.logged.clear();
    this.record = record.node;
    const fresh = _.uniqBy(policies, keyOf).filter((policy) => !this.logged.has(keyOf(policy)));
    for (const policy of fresh) {
      const { name, dryRun } = policy;
      this.logged.add(keyOf(policy));
      const value = this.identify(dryRun, record);
      this.log.info(
        `Enforcement by Policy ${name} on ${dryRun.property} ${value} was skipped for User ${this.user()}`,
      );
    }
    return fresh.length;
  }

  private identify({ property, path }: DryRun, record: RecordView): string {
    const attribute = this.identifiers.get(property) ?? new RecordAttribute(path, this.frame);
    this.identifiers.set(property, attribute);
    const values = attribute.valuesIn(record).filter((value) => value !== UNREADABLE);
    return values.length > 0 ? values.join(',') : UNKNOWN;
  }
}

/** Policies of one name that name records by different properties are different ones. */
function keyOf({ name, dryRun }: Policy & { dryRun: DryRun }): string {
  return `${dryRun.property} ${name}`;
}
