import type { Located, Node } from '../json/located.ts';
import { UNREADABLE, type Attribute } from '../paths/attribute.ts';

/** One protected object, as it came: what conditions are decided on (enforcement §2, §6). */
export class RecordView {
  readonly doc: Located;
  readonly node: Node;
  /** The place where the root is that the record lies under. */
  readonly root: Node;
  /** What tests of the record have yielded, by their number. */
  readonly results: boolean[] = [];
  private readonly assetId: readonly Attribute[];
  private foundAssetIds: readonly string[] | undefined;

  constructor(doc: Located, node: Node, root: Node, assetId: readonly Attribute[]) {
    this.doc = doc;
    this.node = node;
    this.root = root;
    this.assetId = assetId;
  }

  /** The identifiers of the asset that the record is, in context mode (enforcement §8). */
  get assetIds(): readonly string[] {
    this.foundAssetIds ??= this.assetId
      .flatMap((attribute) => attribute.valuesIn(this.doc, this.node))
      .filter((value) => value !== UNREADABLE);
    return this.foundAssetIds;
  }
}
