import {
  Kind,
  elementsOf,
  isString,
  kindOf,
  NameIndex,
  NameToken,
  TextRuns,
  namesOf,
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

/** The caller's members that give way to these; a list of assets does in context mode. */
const OWN_MEMBERS = NameIndex.of([
  RESOURCE_TYPES,
  'assetList',
  'includeAssetAttributes',
  'includeAccessPolicy',
]);
const NAME = new NameToken('name');

/**
 * Builds the PDP request: all of `vendor`, byte for byte, plus what enforcement needs. The resource types that the caller's
 * own list lacks are appended to it; other members of these names give way.
 *
 * @param vendor an object
 * @returns JSON, UTF-8
 * @throws ServiceError `request-invalid` if `vendor.resourceTypes` is not a list
 */
export function buildPdpRequest({ doc, node: vendor }: JsonPart, needs: Needs): Buffer {
  const kept = new TextRuns(doc);
  const types = new TextRuns(doc);
  const lacking = new Lacking(doc, resourceTypes(needs));
  for (const name of namesOf(doc, vendor)) {
    const member = OWN_MEMBERS.get(doc, name);
    if (member === undefined || (member === 'assetList' && needs.assets === undefined)) {
      kept.add(name, valueOf(name));
      continue;
    }
    kept.end();
    if (member !== RESOURCE_TYPES) continue;
    for (const type of resourceTypesAt(doc, valueOf(name))) {
      types.add(type, type);
      lacking.found(type);
    }
    types.end();
  }
  const members = [...kept.texts(), INCLUDED];
  const typeList = joined(
    RESOURCE_TYPES_OPEN,
    [...types.texts(), ...lacking.types().map(resourceType)],
    LIST_CLOSE,
  );
  const { assets } = needs;
  if (assets === undefined) return joined(OPEN, [...members, typeList], CLOSE);
  // The list of the assets may be longer than the payload, so nothing of it is copied.
  return assets.idsAsJson({
    open: joined(OPEN, members, ASSETS_OPEN),
    close: joined(ASSETS_CLOSE, [typeList], CLOSE),
    before: `{"template":${JSON.stringify(assets.type)},"path":`,
    after: '}',
  });
}

/** The resource types that a list of the caller lacks. */
class Lacking {
  private readonly doc: JsonDocument;
  private readonly needed: NameIndex<string>;
  private readonly lacking: Set<string>;

  constructor(doc: JsonDocument, needed: readonly string[]) {
    this.doc = doc;
    this.lacking = new Set(needed);
    this.needed = NameIndex.of(needed);
  }

  /** @param type `{ "name": … }`, or the name alone */
  found(type: Node): void {
    if (this.lacking.size === 0) return;
    const { doc } = this;
    const name = kindOf(doc, type) === Kind.object ? NAME.lastIn(doc, type) : type;
    const known = name !== undefined && isString(kindOf(doc, name)) ? this.needed.get(doc, name) : undefined;
    if (known !== undefined) this.lacking.delete(known);
  }

  types(): readonly string[] {
    return [...this.lacking];
  }
}

const INCLUDED = Buffer.from('"includeAssetAttributes":true,"includeAccessPolicy":true');
const RESOURCE_TYPES_OPEN = Buffer.from(`"${RESOURCE_TYPES}":[`);
const ASSETS_OPEN = Buffer.from(',"assetList":[');
const ASSETS_CLOSE = Buffer.from('],');
const LIST_CLOSE = Buffer.from(']');
const OPEN = Buffer.from('{');
const CLOSE = Buffer.from('}');
const COMMA = Buffer.from(',');

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

function joined(open: Buffer, parts: readonly Buffer[], close: Buffer): Buffer {
  const separated: Buffer[] = [open];
  for (const part of parts) {
    if (separated.length > 1) separated.push(COMMA);
    separated.push(part);
  }
  separated.push(close);
  return Buffer.concat(separated);
}
