import { hasMember, isRoot, jsonNamesPayload, routesTo, stationsOf, type Document } from './document.ts';
import { follow, leadsAlong, type Rest } from './follow.ts';
import { beginsWithName, type Path, type Segment } from './path.ts';
import { chainFrom, topPlace, type Place } from './place.ts';

/**
 * The two readings of a path (docs/enforcement.md#two-readings-of-a-path): from the record, and from the payload. In the payload's reading, a
 * leading `json` names the payload, and so does the root word if the payload lacks it.
 */

/** What remains of a path in the payload's reading when it has led to a place. */
function restsFromPayload(document: Document, path: Path, place: Place): Rest[] {
  const asWritten = [path, ...(isOfRequest(document, path) ? [path.slice(1)] : [])];
  return routesTo(document, place).flatMap((route) => asWritten.flatMap((some) => follow(some, route)));
}

/** Whether a path of a decision names a place. A wildcard never names a root itself. */
export function namesPlace(document: Document, path: Path, place: Place, record: Place | undefined): boolean {
  const fromRecord = record === undefined ? [] : follow(path, stationsOf(chainFrom(record.slot, place)));
  return [...fromRecord, ...restsFromPayload(document, path, place)].some(
    (rest) => rest.path.length === 0 && !(rest.wild && isRoot(document, place)),
  );
}

/** Whether a path names a place in either reading, as the prefix of a property. */
export function namesPrefix(document: Document, path: Path, place: Place, record: Place): boolean {
  return (
    leadsAlong(path, stationsOf(chainFrom(record.slot, place))) ||
    restsFromPayload(document, path, place).some((rest) => rest.path.length === 0)
  );
}

/**
 * What remains of a path that leads through the root into a record, once for each way. A root that is the payload itself
 * is passed without a segment, so all of the path may remain; but not if the path says by names how it gets there.
 */
export function restsInside(document: Document, path: Path, record: Place): Rest[] {
  const rests = restsFromPayload(document, path, record).filter((rest) => rest.path.length > 0);
  const partly = rests.filter((rest) => rest.path.length < path.length);
  return partly.some(({ wild }) => !wild) ? partly : rests;
}

/** Whether a path goes by names and `#` to the payload as what the root word names. */
export function namesMissingRoot(document: Document, path: Path): boolean {
  const around =
    document.missingRootWord === undefined ? [] : routesTo(document, topPlace(document.payload)).slice(1);
  return around.some((route) =>
    follow(path, route).some((rest) => !rest.wild && rest.path.length < path.length),
  );
}

/** Whether a path goes by names, `#` and indexes to a root: it speaks of the payload, whatever records there are. */
export function leadsToRoot(document: Document, path: Path): boolean {
  return document.roots.some((root) => restsAtRoot(document, path, root).length > 0);
}

/**
 * Whether a path goes on from a root into the records, and not only to them. `[*]` is no wildcard: it is written for a list.
 *
 * @param beginnings how long what remains of it is while it names the payload alone
 */
export function leadsThroughRoot(document: Document, path: Path, beginnings: readonly number[]): boolean {
  return document.roots.some((root) =>
    restsFromPayload(document, path, root)
      .map((rest) => rest.path)
      .filter((rest) => isOfPayload(rest, path, root) && !beginnings.includes(rest.length))
      .some((rest) => !path.slice(0, -rest.length).some(isWildcard) && mayEndInRecord(rest)),
  );
}

function isWildcard(segment: Segment): boolean {
  if (segment.kind === 'anyChild') return !segment.inBrackets;
  return segment.kind === 'wildcard' || segment.kind === 'descent';
}

/** Whether a path begins with `json` for the payload. */
export function isOfRequest(document: Document, path: Path): boolean {
  return beginsWithName(path, 'json') && jsonNamesPayload(document);
}

/** Whether a path that begins with `json` could be one of a record's own. */
export function isOfOwnJson(path: Path, record: Place): boolean {
  return beginsWithName(path, 'json') && hasMember(record.slot.value, 'json');
}

/** What remains at a root of a path that leads there without wildcards. */
function restsAtRoot(document: Document, path: Path, root: Place): Path[] {
  const rests = restsFromPayload(document, path, root).filter(({ wild }) => !wild);
  return rests.map((rest) => rest.path).filter((rest) => isOfPayload(rest, path, root));
}

/** Whether what remains of a path at a root says something about the way there or about the root's elements. */
function isOfPayload(rest: Path, path: Path, root: Place): boolean {
  return rest.length < path.length || (root.slot.value.kind === 'array' && isElement(rest[0]?.kind));
}

/** Whether a path may go on in an element that it leads to: digits after an index may be a property. */
function mayEndInRecord(rest: Path): boolean {
  return !rest.every(isOfElements) || (rest.length > 1 && rest.at(-1)?.kind === 'digits');
}

/** Whether a segment may mean elements of an array alone. */
function isOfElements(segment: Segment): boolean {
  if (segment.kind === 'union') return segment.options.every(isOfElements);
  return isElement(segment.kind) || ['anyChild', 'slice'].includes(segment.kind);
}

function isElement(kind: string | undefined): boolean {
  return kind === 'each' || kind === 'digits';
}
