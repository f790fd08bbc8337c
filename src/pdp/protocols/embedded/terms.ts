import type { AskedAssets } from './asked-assets.ts';
import type { Caller } from './caller.ts';
import type { ClaimedValues } from './condition.ts';
import type { ActionEntry, PolicyEntry } from './decision.ts';
import { mapped } from './names.ts';
import type { Mapper, Policy, PolicyFile } from '../../policies/index.ts';
import type { Question } from './question.ts';

/** The metadata whose value is a property of the record, so that it has a physical path too. */
const DRY_RUN = 'DRY_RUN';

/** What a decision is written with. */
export interface Terms {
  readonly file: PolicyFile;
  readonly question: Question;
  readonly caller: Caller;
  /** Asset type to the data mapper that was chosen for it. */
  readonly mappers: ReadonlyMap<string, Mapper>;
  readonly assets: AskedAssets;
  readonly claimed: ClaimedValues;
}

/** The action of a policy, with its priority before its value; before its name if it has none, or one that is empty. */
export function actionEntry({ action: { name, value }, priority }: Policy): ActionEntry {
  const prefix = priority === undefined ? '' : `${priority}::`;
  if (value === undefined) return { action: prefix + name };
  return value.trim() === '' ? { action: prefix + name, value } : { action: name, value: prefix + value };
}

/** The policy of an entry, if the question asks for policies. */
export function policiesMember(policy: Policy, terms: Terms): { policies?: readonly PolicyEntry[] } {
  if (terms.question.includeAccessPolicy !== true) return {};
  return { policies: [{ name: policy.name, metadata: metadataOf(policy, terms) }] };
}

export function metadataOf(
  { metadata, assetType }: Policy,
  { mappers }: Terms,
): Readonly<Record<string, string>> {
  const identifier = metadata[DRY_RUN];
  return identifier === undefined
    ? metadata
    : { ...metadata, [DRY_RUN]: mapped(mappers.get(assetType), identifier) };
}
