import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { entryOf, type Entry } from './entry.ts';
import { asFlag, asList, asObject, optional, required } from './parts.ts';

/** The answer of a PDP, taken apart into its lists of entries (docs/pdp-contract.md#the-answer). */
export interface Answer {
  /** The embedded PDP says how its policies treat short values (docs/masks.md#short-values). */
  readonly maskShort: boolean | undefined;
  readonly access: readonly Entry[];
  readonly allowed: readonly Entry[];
  readonly denied: readonly Entry[];
}

/** What has both could mean either. */
export const NEXT_TO_DATA = 'a response next to data';

/**
 * Takes an answer apart that is a value already.
 *
 * @param place of the value in what the PDP sent
 * @throws ServiceError `decision-not-understood`
 */
export function readAnswerValue(value: unknown, place: JsonPointer): Answer {
  const answer = asObject(value, place);
  if (answer['data'] !== undefined) throw notUnderstood(NEXT_TO_DATA, place);
  const sections = required(answer, 'response', (list, at) => asList(list, readSections, at), place);
  return {
    maskShort: optional(answer, 'maskShort', asFlag, place),
    access: sections.flatMap(({ access }) => access),
    allowed: sections.flatMap(({ allowed }) => allowed),
    denied: sections.flatMap(({ denied }) => denied),
  };
}

function readSections(value: unknown, place: JsonPointer): Omit<Answer, 'maskShort'> {
  const response = asObject(value, place);
  const privileges = optional(response, 'privileges', asObject, place) ?? {};
  const at = [...place, 'privileges'];
  return {
    access: optional(response, 'access', readEntries, place) ?? [],
    allowed: optional(privileges, 'allowed', readEntries, at) ?? [],
    denied: optional(privileges, 'denied', readEntries, at) ?? [],
  };
}

function readEntries(value: unknown, place: JsonPointer): readonly Entry[] {
  return asList(value, entryOf, place);
}
