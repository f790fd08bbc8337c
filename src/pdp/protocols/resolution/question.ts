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
import { invalidRequest } from '../../../enforcement/index.ts';

/** What enforcement needs in the answer of the PDP. */
interface Needs {
  /** The asset type of the properties. */
  readonly assetType: string;
  /** In context mode: the asset type of the records and their identifiers. */
  readonly assets: { readonly type: string; readonly ids: readonly string[] } | undefined;
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
  const kept: Buffer[] = [];
  const own = ownMembers(needs);
  for (const name of namesOf(doc, vendor)) {
    const text = stringAt(doc, name);
    if (text === RESOURCE_TYPES) for (const type of resourceTypesAt(doc, valueOf(name))) types.push(type);
    else if (!own.has(text)) kept.push(textAt(doc, name, valueOf(name)));
  }
  const listed = new Set(types.flatMap((type) => nameOfType(doc, type) ?? []));
  const lacking = resourceTypes(needs).filter((type) => !listed.has(type));
  const list = [
    ...types.map((type) => textAt(doc, type, type)),
    ...lacking.map((name) => Buffer.from(JSON.stringify({ name }))),
  ];
  const added = [...own].map(([name, value]) =>
    Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`),
  );
  const member = Buffer.concat([Buffer.from(`"${RESOURCE_TYPES}":`), joined('[', list, ']')]);
  return joined('{', [...kept, ...added, member], '}');
}

function resourceTypes({ assetType, assets }: Needs): readonly string[] {
  return assets && assets.type !== assetType ? [assetType, assets.type] : [assetType];
}

function ownMembers({ assets }: Needs): Map<string, unknown> {
  return new Map<string, unknown>([
    ['includeAssetAttributes', true],
    ['includeAccessPolicy', true],
    ...(assets ? [['assetList', assets.ids.map((path) => ({ template: assets.type, path }))] as const] : []),
  ]);
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

function joined(open: string, parts: readonly Buffer[], close: string): Buffer {
  const comma = Buffer.from(',');
  const separated = parts.flatMap((part, i) => (i === 0 ? [part] : [comma, part]));
  return Buffer.concat([Buffer.from(open), ...separated, Buffer.from(close)]);
}
