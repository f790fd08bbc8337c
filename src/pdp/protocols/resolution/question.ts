import { endOf, namesOf, startOf, valueOf, type Located, type Node } from '../../../core/json/located.ts';
import { stringAt } from '../../../core/json/text.ts';

/** What enforcement needs of the PDP (enforcement §4). */
interface Needs {
  /** The asset type of the properties. */
  readonly assetType: string;
  /** In context mode: the asset type of the records and their identifiers. */
  readonly assets: { readonly type: string; readonly ids: readonly string[] } | undefined;
}

const RESOURCE_TYPES = 'resourceTypes';

/**
 * Builds the PDP request: all of `vendor`, byte for byte, plus what enforcement needs in the place of what the caller
 * said of it.
 *
 * @param vendor an object in the text
 * @returns JSON, UTF-8
 */
export function buildPdpRequest(doc: Located, vendor: Node, needs: Needs): Buffer {
  const own = ownMembers(needs);
  const kept: Buffer[] = [];
  for (const name of namesOf(doc, vendor)) {
    const text = stringAt(doc, name);
    if (text === RESOURCE_TYPES) own.delete(RESOURCE_TYPES);
    if (!own.has(text)) kept.push(doc.bytes.subarray(startOf(doc, name), endOf(doc, valueOf(name))));
  }
  const added = [...own].map(([name, value]) =>
    Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`),
  );
  return objectOf([...kept, ...added]);
}

function ownMembers({ assetType, assets }: Needs): Map<string, unknown> {
  const types = assets ? [assetType, assets.type] : [assetType];
  return new Map<string, unknown>([
    ['includeAssetAttributes', true],
    ['includeAccessPolicy', true],
    [RESOURCE_TYPES, types.map((name) => ({ name }))],
    ...(assets ? [['assetList', assets.ids.map((path) => ({ template: assets.type, path }))] as const] : []),
  ]);
}

function objectOf(members: readonly Buffer[]): Buffer {
  const comma = Buffer.from(',');
  const parts = members.flatMap((member, i) => (i === 0 ? [member] : [comma, member]));
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')]);
}
