import { Kind, kindOf } from '../json/document.ts';
import { Automaton } from '../paths/automaton.ts';
import type { Path } from '../paths/path.ts';
import { RootStates } from '../paths/root-states.ts';
import type { State } from '../paths/state.ts';
import type { Root } from '../roots.ts';
import { stateAtPayload } from './frame.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { RecordConditions } from './record-condition.ts';
import type { Scope } from './record-scope.ts';
import { RecordStates } from './record-states.ts';
import type { RecordView, Subject } from './record.ts';
import { RootScopes } from './root-scopes.ts';
import { unlikeRoots } from './unlike-roots.ts';

/** How conditions read the records of one payload: alike at roots to which their paths lead alike. */
export class RecordScopes {
  private readonly subject: Subject;
  private readonly conditions: RecordConditions;
  private readonly elements: RecordStates<undefined>;
  /** How many leaves there were when the scopes were made. */
  private known = -1;
  private states: RootStates<undefined> | undefined;
  /** By the state at a root, and by whether the root is an array. */
  private byState = new Map<State | undefined, [scopes?: RootScopes, ofArray?: RootScopes]>();
  /** The root that was met last, and its scopes: neighbours are most often of one root. */
  private root: Root = -1;
  private ofRoot: RootScopes | undefined;
  private unlike: readonly Root[] | undefined;

  constructor(subject: Subject, conditions: RecordConditions) {
    this.subject = subject;
    this.conditions = conditions;
    this.elements = new RecordStates(subject.doc);
  }

  /** @returns undefined if other records are not known that are read alike */
  of(record: RecordView): Scope | undefined {
    if (this.conditions.leafCount !== this.known) this.readConditions();
    if (this.ofRoot === undefined || record.root !== this.root) {
      this.ofRoot = this.scopesAt(record);
      this.root = record.root;
    }
    return this.ofRoot.of(record, this.elements);
  }

  /**
   * One of the roots to which the paths of conditions lead alike, for each way in which they do.
   *
   * @returns undefined if this is not known for an attribute
   */
  unlikeRoots(attribute: RecordAttribute): readonly Root[] | undefined {
    if (!this.conditions.reads(attribute)) return undefined;
    this.unlike ??= unlikeRoots(this.subject, this.statesFor(this.conditions.paths));
    return this.unlike;
  }

  /** Conditions are compiled as properties are met, so there may be more than before. */
  private readConditions(): void {
    const { conditions } = this;
    this.known = conditions.leafCount;
    const leading = conditions.attributes.filter((attribute) => !attribute.isOwnIn(this.subject));
    this.states = this.statesFor(leading.map(({ path }) => path));
    this.byState = new Map();
    this.ofRoot = undefined;
  }

  /** Where paths lead at roots. */
  private statesFor(paths: readonly Path[]): RootStates<undefined> {
    const { doc, roots } = this.subject;
    const automaton = new Automaton(paths);
    const read = paths.map((path, number) => [path, number] as const);
    return new RootStates(doc, roots, stateAtPayload(automaton, read, this.conditions.frame));
  }

  private scopesAt(record: RecordView): RootScopes {
    const state = this.states?.at(record.root);
    const { doc, roots } = this.subject;
    const ofArray = kindOf(doc, roots.nodeOf(record.root)) === Kind.array ? 1 : 0;
    const scopes = this.byState.get(state) ?? [];
    const known = scopes[ofArray];
    if (known !== undefined) return known;
    const added = new RootScopes(record, this.conditions.attributes, state);
    scopes[ofArray] = added;
    this.byState.set(state, scopes);
    return added;
  }
}
