import type { HeaderFields } from '../../port.ts';
import type { PolicyFile } from '../../policies/index.ts';
import { applicable, type Applicable } from './evaluate.ts';
import { identifyCaller } from './identify.ts';
import type { Question } from './question.ts';
import { allowingFilters, documentRules } from './rules.ts';

/** What an evaluation is about, in the words of AuthZEN. */
export interface Resource {
  readonly type: string;
  readonly id: string;
}

/** The answer to one evaluation. */
export interface Decision {
  readonly decision: boolean;
  readonly context?: unknown;
}

/** What is asked in one evaluation. */
interface Evaluation {
  /** Who asks, and how. */
  readonly question: Question;
  readonly about: Resource;
  /** The records that the asset is one of, as the request names them: the type of the asset, and their asset type. */
  readonly records: Resource | undefined;
  readonly headers: HeaderFields;
}

/**
 * Decides one evaluation: a permit with the rules in an obligation of type `filter`, or a denial of an asset that the
 * filters remove. Every asset of the same records gets the obligation that the records themselves get.
 *
 * @throws PdpRefusal 400 an asset type is not known, 401 who asks is not known, 403 may not ask
 */
export async function decideEvaluation(
  file: PolicyFile,
  { question, about, records, headers }: Evaluation,
): Promise<Decision> {
  const caller = await identifyCaller(file, question, headers);
  const types = typesOf(file, records ?? about, records !== undefined);
  const asked = { ...question, resourceTypes: types.map((name) => ({ name })) };
  const applying = applicable(file, 'context', asked, caller);
  const isAsset = records !== undefined || isAssetOf(file, about);
  if (isAsset && !keepsAsset(about.id, applying)) return { decision: false };
  const areAssets = types.length > 1 || (records === undefined && isAsset);
  const rules = documentRules(applying, areAssets);
  const obligation = { id: 'masks', type: 'filter', properties: { filter: { rules } } };
  return { decision: true, context: { obligations: [obligation] } };
}

/** The asset types that a resource names: in context mode its type is that of the assets, and its id that of the records. */
function typesOf(file: PolicyFile, { type, id }: Resource, areRecords: boolean): readonly string[] {
  if (id === type) return [type];
  return isAssetType(file, id) || (areRecords && hasAssets(file, type)) ? [type, id] : [type];
}

/** Whether a resource is an asset: policies are about assets of its type, and its id is no asset type. */
function isAssetOf(file: PolicyFile, { type, id }: Resource): boolean {
  return id !== type && hasAssets(file, type) && !isAssetType(file, id);
}

function hasAssets({ policies }: PolicyFile, type: string): boolean {
  return policies.some(({ assets }) => assets?.type === type);
}

function isAssetType({ policies }: PolicyFile, name: string): boolean {
  return policies.some(({ assetType, assets }) => assetType === name || assets?.type === name);
}

/** Whether the record of an asset stays, as far as its identifier decides that; conditions are in the obligation. */
function keepsAsset(id: string, { policies, terms }: Applicable): boolean {
  const filters = allowingFilters(terms, true);
  if (filters.length === 0) return true;
  const applying = filters.filter((filter) => policies.includes(filter));
  if (applying.length === 0) return false;
  // Rules in dry run remove nothing.
  const enforced = applying.filter(({ metadata }) => metadata['DRY_RUN'] === undefined);
  return (
    enforced.length === 0 ||
    enforced.some(({ assets }) => assets === undefined || assets.ids === 'all' || assets.ids.includes(id))
  );
}
