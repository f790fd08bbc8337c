import {
  Kind,
  elementsOf,
  endOf,
  isString,
  kindOf,
  namesOf,
  startOf,
  stringAt,
  valueOf,
  type JsonPart,
  type JsonDocument,
  type Node,
} from '../../../core/index.ts';
import { invalidRequest, type Assets } from '../../../enforcement/index.ts';

/** What enforcement needs in the answer of the PDP. */
interface Needs {
  /** The asset type of the properties. */
  readonly assetType: string;
  /** In context mode: the asset type of the records and their identifiers. */
  readonly assets: Pick<Assets, 'type' | 'idsAsJson'> | undefined;
}

const RESOURCE_TYPES = 'resourceTypes';

/**
 * Builds the PDP request: all of `vendor`, byte for byte, plus what enforcement needs. The resource types that the caller's
 * own list lacks are appended to it; other members of these names give way.
 *
 * @param vendor an object
 * @returns JSON, UTF-8
 * @throws ServiceError `request-invalid` if `vendor.resourceTypes` is not a list
 */
export function buildPdpRequest({ doc, node: vendor }: JsonPart, needs: Needs): Buffer {
  const types: Node[] = [];
  const members: Buffer[] = [];
  for (const name of namesOf(doc, vendor)) {
    const text = stringAt(doc, name);
    if (text === RESOURCE_TYPES) for (const type of resourceTypesAt(doc, valueOf(name))) types.push(type);
    else if (!isOwn(text, needs)) members.push(textAt(doc, name, valueOf(name)));
  }
  const listed = new Set(types.map((type) => nameOfType(doc, type)));
  const list = types.map((type) => textAt(doc, type, type));
  for (const type of resourceTypes(needs)) if (!listed.has(type)) list.push(resourceType(type));
  members.push(INCLUDED);
  const { assets } = needs;
  const typeList = joined(RESOURCE_TYPES_OPEN, list, LIST_CLOSE);
  if (assets === undefined) return joined(OPEN, [...members, typeList], CLOSE);
  // The list of the assets may be longer than the payload, so nothing of it is copied.
  return assets.idsAsJson({
    open: joined(OPEN, members, ASSETS_OPEN),
    close: joined(ASSETS_CLOSE, [typeList], CLOSE),
    before: `{"template":${JSON.stringify(assets.type)},"path":`,
    after: '}',
  });
}

const INCLUDED = Buffer.from('"includeAssetAttributes":true,"includeAccessPolicy":true');
const RESOURCE_TYPES_OPEN = Buffer.from(`"${RESOURCE_TYPES}":[`);
const ASSETS_OPEN = Buffer.from(',"assetList":[');
const ASSETS_CLOSE = Buffer.from('],');
const LIST_CLOSE = Buffer.from(']');
const OPEN = Buffer.from('{');
const CLOSE = Buffer.from('}');
const COMMA = Buffer.from(',');

/** Whether a member of the caller gives way to one of these. */
function isOwn(name: string, { assets }: Needs): boolean {
  if (name === 'assetList') return assets !== undefined;
  return name === 'includeAssetAttributes' || name === 'includeAccessPolicy';
}

function resourceTypes({ assetType, assets }: Needs): readonly string[] {
  return assets && assets.type !== assetType ? [assetType, assets.type] : [assetType];
}

function resourceType(name: string): Buffer {
  return Buffer.from(`{"name":${JSON.stringify(name)}}`);
}

function resourceTypesAt(doc: JsonDocument, node: Node): Iterable<Node> {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) return elementsOf(doc, node);
  if (kind === Kind.null) return [];
  throw invalidRequest([{ pointer: `/vendor/${RESOURCE_TYPES}`, detail: 'It has to be a list.' }]);
}

/** The name of a resource type: `{ "name": … }`, or the name alone. */
function nameOfType(doc: JsonDocument, type: Node): string | undefined {
  if (isString(kindOf(doc, type))) return stringAt(doc, type);
  if (kindOf(doc, type) !== Kind.object) return undefined;
  const name = Array.from(namesOf(doc, type)).findLast((one) => stringAt(doc, one) === 'name');
  if (name === undefined || !isString(kindOf(doc, valueOf(name)))) return undefined;
  return stringAt(doc, valueOf(name));
}

function textAt(doc: JsonDocument, first: Node, last: Node): Buffer {
  return doc.bytes.subarray(startOf(doc, first), endOf(doc, last));
}

function joined(open: Buffer, parts: readonly Buffer[], close: Buffer): Buffer {
  const separated: Buffer[] = [open];
  for (const part of parts) {
    if (separated.length > 1) separated.push(COMMA);
    separated.push(part);
  }
  separated.push(close);
  return Buffer.concat(separated);
}
