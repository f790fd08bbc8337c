import { Kind, kindOf } from '../json/document.ts';
import type { RootStates } from '../paths/root-states.ts';
import type { State } from '../paths/state.ts';
import { hasRecords } from '../records.ts';
import type { Root } from '../roots.ts';
import type { Subject } from './record.ts';

/** One of the roots with records to which paths lead alike, for each way in which they do. @param states where the paths lead at roots */
export function unlikeRoots(
  { doc, roots }: Subject,
  states: RootStates<undefined> | undefined,
): readonly Root[] {
  const met = new Map<State | undefined, [met?: true, asArray?: true]>();
  const unlike: Root[] = [];
  /** What is known of the state that was met last: neighbours are most often alike. */
  let latest: State | undefined;
  let known: [met?: true, asArray?: true] = [];
  for (let root = 0; root < roots.length; root++) {
    const node = roots.nodeOf(root);
    if (!hasRecords(doc, node)) continue;
    const state = states?.at(root);
    if (state !== latest) known = met.get(state) ?? [];
    latest = state;
    const ofArray = kindOf(doc, node) === Kind.array ? 1 : 0;
    if (known[ofArray]) continue;
    known[ofArray] = true;
    met.set(state, known);
    unlike.push(root);
  }
  return unlike;
}
