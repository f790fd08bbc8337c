import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
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
export function questionInContext(vendor: unknown, assets: Assets, parts: Partial<Question> = {}): Question {
  const settings = { ...SETTINGS, protectedObject: assets.type };
  return questionOf(vendor, { calculationType: 'context', assets, settings, ...parts });
}
