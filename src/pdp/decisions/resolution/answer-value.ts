import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { entryOf, type Entry } from './entry.ts';
import { refuseDenial } from '../lost-denial.ts';
import { refusePart, refusePartsIn } from '../lost-rules.ts';
import { Misspelt, refuseLost } from '../misspelt.ts';
import { AROUND_SECTIONS, OF_SECTIONS } from './misspelt.ts';
import { asFlag, asList, asObject, isList, isObject, optional, required, type Members } from './parts.ts';

/** The answer of a PDP, taken apart into its lists of entries (docs/pdp-contract.md#the-answer). */
export interface Answer {
  /** The embedded PDP says how its policies treat short values (docs/masks.md#short-values). */
  readonly maskShort: boolean | undefined;
  readonly access: readonly Entry[];
  readonly allowed: readonly Entry[];
  readonly denied: readonly Entry[];
}

/** What is read beside the sections. */
const READ: readonly string[] = ['response', 'maskShort'];

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
  const misspelt = new Misspelt();
  refuseLost(answer, { read: READ, meant: AROUND_SECTIONS }, place, misspelt);
  refusePart(answer, false, () => place);
  refuseUnread(answer, READ, place);
  const readSections = (one: unknown, at: JsonPointer) => readSection(one, at, misspelt);
  const sections = required(answer, 'response', (list, at) => asList(list, readSections, at), place);
  return {
    maskShort: optional(answer, 'maskShort', asFlag, place),
    access: sections.flatMap(({ access }) => access),
    allowed: sections.flatMap(({ allowed }) => allowed),
    denied: sections.flatMap(({ denied }) => denied),
  };
}

function readSection(value: unknown, place: JsonPointer, misspelt: Misspelt): Omit<Answer, 'maskShort'> {
  const response = membersIn(value, place, ['access', 'privileges'], misspelt);
  const readPrivileges = (one: unknown, inPrivileges: JsonPointer) =>
    membersIn(one, inPrivileges, ['allowed', 'denied'], misspelt);
  const privileges = optional(response, 'privileges', readPrivileges, place) ?? {};
  const at = [...place, 'privileges'];
  return {
    access: optional(response, 'access', readEntries, place) ?? [],
    allowed: optional(privileges, 'allowed', readEntries, at) ?? [],
    denied: optional(privileges, 'denied', readEntries, at) ?? [],
  };
}

/** The members of an object, of which none is misspelt. */
function membersIn(
  value: unknown,
  place: JsonPointer,
  known: readonly string[],
  misspelt: Misspelt,
): Members {
  const members = asObject(value, place);
  for (const [name, member] of Object.entries(members))
    if (!known.includes(name) && (isObject(member) || isList(member)))
      misspelt.refuse(name, OF_SECTIONS, place);
  // Beside what is read, PDPs may repeat the resource of the question.
  const hasParts = known.some((name) => members[name] !== undefined);
  refusePart(members, !hasParts, () => place);
  refuseUnread(members, known, place);
  return members;
}

/** Refuses members that are not read, and deny the request or have rules in them. */
function refuseUnread(members: Members, read: readonly string[], place: JsonPointer): void {
  for (const [name, member] of Object.entries(members)) {
    if (read.includes(name)) continue;
    refuseDenial(name, member, place);
    refusePartsIn(member, [...place, name]);
  }
}

function readEntries(value: unknown, place: JsonPointer): readonly Entry[] {
  return asList(value, entryOf, place);
}
