import _ from 'lodash';
import type { AssetSelector, PolicyFile } from '../../policies/index.ts';
import type { Question } from './question.ts';

/** The assets that a question asks about, by their type: there may be hundreds of thousands, and hundreds of policies about some. */
export class AskedAssets {
  readonly #file: PolicyFile;
  readonly #question: Question;

  constructor(file: PolicyFile, question: Question) {
    this.#file = file;
    this.#question = question;
  }

  /** The identifiers that a policy is about, in the order of the question; one list for all policies about all of a type. */
  selectedBy({ type, ids }: AssetSelector): readonly string[] {
    return ids === 'all' ? this.#all(type) : (this.#listed(type).get(ids) ?? []);
  }

  areAskedFor(type: string): boolean {
    return this.#all(type).length > 0;
  }

  readonly #all = _.memoize((type: string): readonly string[] => {
    const ids: string[] = [];
    for (const { template, path } of this.#question.assetList ?? []) if (template === type) ids.push(path);
    return ids;
  });

  /** What is asked for of the lists of policies, by list. Each asset is looked up once. */
  readonly #listed = _.memoize((type: string): ReadonlyMap<readonly string[], readonly string[]> => {
    const selected = new Map<readonly string[], string[]>();
    const selecting = new Map<string, string[][]>();
    for (const { assets } of this.#file.policies) {
      if (assets?.type !== type || assets.ids === 'all') continue;
      const found: string[] = [];
      selected.set(assets.ids, found);
      for (const id of new Set(assets.ids)) {
        const lists = selecting.get(id);
        if (lists === undefined) selecting.set(id, [found]);
        else lists.push(found);
      }
    }
    for (const id of this.#all(type)) for (const found of selecting.get(id) ?? []) found.push(id);
    return selected;
  });
}
