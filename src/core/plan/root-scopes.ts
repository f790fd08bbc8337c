import type { State } from '../paths/state.ts';
import type { RecordAttribute } from './record-attribute.ts';
import { makeScope, type Scope } from './record-scope.ts';
import type { RecordStates } from './record-states.ts';
import type { RecordView } from './record.ts';

/**
 * For how many attributes it is known in all scopes together what they read there, so that no payload fills the memory. Past that all are
 * forgotten: a scope that many records share may come after others that few do.
 */
const MAX_READ = 2 ** 17;

/**
 * How conditions read the records of the roots to which their paths lead alike: all records alike or, if indexes matter, those
 * elements to which the paths lead alike.
 */
export class RootScopes {
  private readonly attributes: readonly RecordAttribute[];
  private readonly start: State<undefined> | undefined;
  private readonly only: Scope | undefined;
  /** By the state at a record; undefined until a second record is met there: most paths with an index lead to one. */
  private readonly byState = new Map<State<undefined> | undefined, Scope | undefined>();
  /** How many scopes there are in it. */
  private scopes = 0;

  /**
   * @param record any record of such a root
   * @param attributes all that conditions read
   * @param start where their paths lead at the root
   */
  constructor(
    record: RecordView,
    attributes: readonly RecordAttribute[],
    start: State<undefined> | undefined,
  ) {
    this.attributes = attributes;
    this.start = start;
    const isByElement = attributes.some((attribute) =>
      attribute.isReadByElement(record.root, record.subject),
    );
    if (!isByElement) this.only = makeScope(record, attributes);
  }

  /** @returns undefined if no other records are known that are read alike */
  of(record: RecordView, states: RecordStates<undefined>): Scope | undefined {
    if (this.only) return this.only;
    const state = states.at(this.start, record.subject.ways.to(record.node, record.root));
    // Of states that are not kept there may be as many as records.
    if (state?.isKept === false) return undefined;
    const known = this.byState.get(state);
    if (known) return known;
    const scope = this.byState.has(state) ? this.makeScope(record) : undefined;
    this.byState.set(state, scope);
    return scope;
  }

  private makeScope(record: RecordView): Scope {
    const { attributes } = this;
    if (this.scopes * attributes.length > MAX_READ) {
      this.byState.clear();
      this.scopes = 0;
    }
    this.scopes++;
    return makeScope(record, attributes);
  }
}
