import { isRoot, jsonNamesPayload, routesTo, stationsOf, type Document } from './document.ts';
import { follow, isListOfOne, mayBeListOfOne, type Station } from './follow.ts';
import { isJsonPath, type Path } from './path.ts';
import { chainFrom, chainOf, isWithin, type Place } from './place.ts';
import { namesPlace, namesPrefix } from './readings.ts';
import { spellingsOf } from './spelling.ts';

/** A name or a prefix of a property, in all its readings (docs/enforcement.md#conditions-on-names). */
export interface Naming {
  readonly isNamedBy: (path: Path) => boolean;
  readonly spellings: () => readonly string[];
  /** The spellings that begin with `json`, which only values that do so are compared with. */
  readonly spellingsWithJson: () => readonly string[];
}

/** One way to split a property's path. */
export interface Split {
  readonly prefix: Naming;
  readonly name: Naming;
  /** Whether all of the path is the prefix: that of what is below, and not of the property itself. */
  readonly isWhole?: true;
  /** Whether the prefix ends above the record: the name then leads through the root. */
  readonly isAbove?: boolean;
}

interface Subject {
  readonly document: Document;
  readonly record: Place;
}

const NOTHING: Naming = { isNamedBy: () => false, spellings: () => [], spellingsWithJson: () => [] };

/** The split with an empty prefix: the name is the whole path, from the record or from the payload. */
export function unsplit({ document, record }: Subject, place: Place): Split {
  const named = withArraysInRoots(document, place);
  const isNamedBy = (path: Path): boolean => named.some((one) => namesPlace(document, path, one, record));
  return { prefix: NOTHING, name: { isNamedBy, ...spelled(document, record, place) } };
}

/** Every way to split a property's path, also with an empty prefix. */
export function splitsOf(subject: Subject, place: Place): Split[] {
  const outer = chainOf(place).slice(0, -1);
  const before = [unsplit(subject, place), ...outer.map((at) => splitAt(subject, at, place))];
  return place.slot.value.kind === 'object' ? [...before, splitAtEnd(subject, place)] : before;
}

/** All of it is the prefix, and the name is `#`: an object is a list of one. */
function splitAtEnd({ document, record }: Subject, place: Place): Split {
  const { value } = place.slot;
  const isNamedBy = (path: Path): boolean => {
    const dotted = isJsonPath(path) ? path.slice(1) : path;
    return (
      dotted.length > 0 &&
      dotted.every((segment, at) => isListOfOne(segment, value) || mayBeListOfOne(dotted.slice(at), value))
    );
  };
  return { prefix: prefixAt({ document, record }, place), name: { ...NOTHING, isNamedBy }, isWhole: true };
}

function splitAt({ document, record }: Subject, at: Place, place: Place): Split {
  const below = stationsOf(chainFrom(at.slot, place));
  const named = withArraysInRoots(document, place).map((one) => ({
    route: stationsOf(chainFrom(at.slot, one)),
    isRoot: isRoot(document, one) || isRoot(document, place),
  }));
  return {
    isAbove: !isWithin(record, at),
    prefix: prefixAt({ document, record }, at),
    name: {
      isNamedBy: (path) => named.some((one) => one.route.length > 1 && leadsTo(path, one.route, one.isRoot)),
      spellings: () => spellingsOf(below).filter((text) => text !== ''),
      spellingsWithJson: () => [],
    },
  };
}

function prefixAt({ document, record }: Subject, at: Place): Naming {
  return {
    isNamedBy: (path) => withArrays(at).some((one) => namesPrefix(document, path, one, record)),
    ...spelled(document, record, at),
  };
}

/** Whether a path leads to the end of a route. A wildcard never names a root itself. */
function leadsTo(path: Path, route: readonly Station[], isToRoot: boolean): boolean {
  return follow(path, route).some((rest) => rest.path.length === 0 && !(rest.wild && isToRoot));
}

/** A place, and the arrays that it is an element of: an element has the array's own path, too. */
function withArrays(place: Place): Place[] {
  const { parent } = place;
  return typeof place.step === 'number' && parent ? [place, ...withArrays(parent)] : [place];
}

/** The same without arrays above the roots, which rules cannot be about. */
function withArraysInRoots({ roots }: Document, place: Place): Place[] {
  return withArrays(place).filter((one) => roots.some((root) => isWithin(root, one)));
}

function spelled(
  document: Document,
  record: Place,
  place: Place,
): Pick<Naming, 'spellings' | 'spellingsWithJson'> {
  const fromPayload = (): string[] => routesTo(document, place).flatMap(spellingsOf);
  const fromRecord = (): string[] => spellingsOf(stationsOf(chainFrom(record.slot, place)));
  const withJson = (): string[] => fromPayload().map((text) => (text === '' ? 'json' : `json.${text}`));
  return {
    spellings: () => [...new Set([...fromRecord(), ...fromPayload()])].filter((text) => text !== ''),
    spellingsWithJson: () => (jsonNamesPayload(document) ? withJson() : []),
  };
}
