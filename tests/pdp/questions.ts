import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { elementsOf, TOP } from '../../src/core/json/document.ts';
import { ScalarTexts } from '../../src/core/scalar-texts.ts';
import { scan } from '../../src/core/json/scan.ts';
import { FoundAssets } from '../../src/enforcement/assets.ts';
import type { DecisionSettings } from '../../src/enforcement/settings.ts';
import type { Assets, Question } from '../../src/enforcement/question.ts';

/** How a service is configured for the examples of the specification. */
const SETTINGS: DecisionSettings = {
  assetType: 'columns',
  attrName: 'column',
  object: 'table',
  filter: true,
  filterDefault: 'allow',
  protectedObject: undefined,
};

/** The question of enforcement about a request whose `vendor` is this. */
export function questionOf(vendor: unknown, parts: Partial<Question> = {}): Question {
  return {
    calculationType: 'resolution',
    headers: [],
    vendor: { doc: scan(Buffer.from(JSON.stringify(vendor)), 100), node: TOP },
    assets: undefined,
    settings: SETTINGS,
    keys: NO_MASK_KEYS,
    ...parts,
  };
}

/** The same in context mode. */
export function questionInContext(
  vendor: unknown,
  { type, ids }: Pick<Assets, 'type' | 'ids'>,
  parts: Partial<Question> = {},
): Question {
  const doc = scan(Buffer.from(JSON.stringify(ids)), 1);
  const texts = new ScalarTexts(doc);
  for (const id of elementsOf(doc, TOP)) texts.add(id);
  const assets = new FoundAssets(type, texts);
  const settings = { ...SETTINGS, protectedObject: assets.type };
  return questionOf(vendor, { calculationType: 'context', assets, settings, ...parts });
}
