import { aroundPayload, type Document } from './document.ts';
import type { Json } from './model.ts';
import { beginsWithName, isJsonPath, type Path } from './path.ts';
import type { Place } from './place.ts';
import { readValues } from './read.ts';
import { isOfOwnJson, isOfRequest, leadsThroughRoot, restsInside } from './readings.ts';

/**
 * The values of an attribute for a record (docs/path-syntax.md#what-a-path-is-relative-to): a path through the root refers to the record, or with an
 * index to the record at that index; a path that begins with `json` or `$` and leads elsewhere reads the payload; every
 * other path reads the record.
 */
export function attributeValues(document: Document, record: Place, path: Path): Json[] {
  const rests = restsInside(document, path, record).filter(
    (rest) => !namesPayloadFirst(document, path) || rest.path.length < path.length,
  );
  if (rests.length > 0) {
    const isAlsoOfRecord = rests.every(({ wild }) => wild) && !isJsonPath(path);
    return distinct([
      ...valuesAt(record, rests),
      ...(isAlsoOfRecord ? readValues(record.slot, path) : ownJson(record, path)),
    ]);
  }
  if (leadsThroughRoot(document, path)) {
    const named = document.records.flatMap((other) => valuesAt(other, restsInside(document, path, other)));
    return distinct([...named, ...ownJson(record, path)]);
  }
  if (isJsonPath(path) || beginsWithName(path, 'json'))
    return distinct([...valuesOfPayload(document, path), ...ownJson(record, path)]);
  return readValues(record.slot, path);
}

function valuesAt(place: Place, rests: readonly { readonly path: Path }[]): Json[] {
  return rests.flatMap((rest) => readValues(place.slot, rest.path));
}

/** What a path that begins with `json` reads of a record that has a property of that name. */
function ownJson(record: Place, path: Path): Json[] {
  return isOfOwnJson(path, record) ? readValues(record.slot, path) : [];
}

function valuesOfPayload(document: Document, path: Path): Json[] {
  const asWritten = [path, ...(isOfRequest(document, path) ? [path.slice(1)] : [])];
  const starts = [document.payload, { value: aroundPayload(document) }];
  return asWritten.flatMap((some) => starts.flatMap((start) => readValues(start, some)));
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Set(values)];
}

/** Whether a path begins with what names the payload: that is then no property of a record. */
function namesPayloadFirst(document: Document, path: Path): boolean {
  const { missingRootWord } = document;
  return (
    isOfRequest(document, path) || (missingRootWord !== undefined && beginsWithName(path, missingRootWord))
  );
}
