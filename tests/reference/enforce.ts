import { assetIdsOf } from './access.ts';
import { openDocument } from './document.ts';
import { applyEdit, editsOf, isRemoval } from './edits.ts';
import { filterOf } from './filter.ts';
import { dryRunLines } from './line.ts';
import { isContainer, objectOf, type Json, type Member, type Slot } from './model.ts';
import { parseJson } from './parse.ts';
import { parsePath } from './path.ts';
import { removeSlots } from './place.ts';
import { printJson } from './print.ts';
import { Refusal } from './refusal.ts';
import type { Asset, RuleSettings } from './rule.ts';
import { parseRules } from './rules.ts';

/** The keys of the configuration that have a part in enforcement (specification 2.4). */
export interface ReferenceConfig {
  readonly rootWord?: string | undefined;
  readonly assetType?: string | undefined;
  readonly attrName?: string | undefined;
  readonly object?: string | undefined;
  readonly maskString?: string | undefined;
  readonly maskShort?: boolean | undefined;
  readonly filter?: boolean | undefined;
  readonly filterDefault?: 'allow' | 'deny' | undefined;
}

/** The request's own parameters (specification 2.2). */
export interface ReferenceParameters {
  readonly root?: string | undefined;
  readonly assetType?: string | undefined;
  readonly calculationType?: string | undefined;
  readonly maskString?: string | undefined;
  readonly filter?: boolean | undefined;
  readonly FILTER?: boolean | undefined;
  readonly assetId?: string | undefined;
  readonly protectedObject?: string | undefined;
}

/** A request together with what the PDP answers to it. */
export interface EnforcementProblem {
  readonly config: ReferenceConfig;
  readonly parameters: ReferenceParameters;
  readonly vendor: { readonly entityId?: string | undefined };
  readonly jsonText: string;
  readonly decision: unknown;
}

export type EnforcementAnswer =
  /** The payload without space between its tokens, and the dry runs' log lines in the order of the records. */
  | { readonly status: 200; readonly text: string; readonly dryRun: readonly string[] }
  | { readonly status: 400 | 422 | 502 };

/**
 * Enforces a decision on a payload the slow and obvious way: every rule is asked of every property of every record.
 * Follows enforcement §2, §3 and §5 to §9. Only what concerns the payload is checked of the request.
 */
export function referenceEnforce(problem: EnforcementProblem): EnforcementAnswer {
  try {
    return enforce(problem);
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status };
    throw error;
  }
}

function enforce({ config, parameters, vendor, jsonText, decision }: EnforcementProblem): EnforcementAnswer {
  const document = openDocument(parsePayload(jsonText), parameters.root, config.rootWord);
  const settings = settingsOf(config, parameters, document);
  requireAssetIds(settings);
  const { masks, filters } = parseRules(decision, settings);
  const filter = filterOf(filters, !settings.filtering || config.filterDefault !== 'deny');
  const staying = document.records.filter(filter.stays);
  const plans = staying.map((record) => ({ record, ...editsOf(masks, document, record) }));
  const dryRun = plans.flatMap(({ record, skipped }) => {
    return dryRunLines(
      [...filter.wouldRemove(record), ...skipped],
      document,
      record,
      vendor.entityId ?? 'unknown',
    );
  });
  const edits = plans.flatMap((plan) => plan.edits);
  const settingsOfMasks = {
    maskString: parameters.maskString ?? config.maskString ?? '***',
    maskShort: config.maskShort ?? false,
  };
  edits.filter((edit) => !isRemoval(edit)).forEach((edit) => applyEdit(edit, settingsOfMasks));
  const properties = edits.filter(isRemoval).map(({ property }) => property.slot);
  const removed = document.records.filter((record) => !staying.includes(record)).map(({ slot }) => slot);
  removeFrom(document.payload, [...properties, ...removed, ...(filter.removesStrays ? document.strays : [])]);
  return { status: 200, text: printJson(document.payload.value), dryRun };
}

function parsePayload(text: string): Json {
  const json = parseJson(text);
  if (!isContainer(json)) throw new Refusal(400, 'The payload is neither an object nor an array');
  return json;
}

function settingsOf(
  config: ReferenceConfig,
  parameters: ReferenceParameters,
  document: RuleSettings['document'],
): RuleSettings {
  return {
    document,
    assetType: parameters.assetType ?? config.assetType ?? 'columns',
    attrName: config.attrName,
    object: config.object,
    filtering: parameters.filter ?? parameters.FILTER ?? config.filter ?? false,
    asset: assetOf(parameters),
  };
}

function assetOf({ calculationType, assetId, protectedObject }: ReferenceParameters): Asset | undefined {
  if (calculationType !== 'context') return undefined;
  const idPath = assetId === undefined ? undefined : parsePath(assetId);
  if (idPath === undefined || protectedObject === undefined)
    throw new Refusal(400, 'Context mode lacks its asset');
  return { idPath, protectedObject };
}

function requireAssetIds(settings: RuleSettings): void {
  const { records } = settings.document;
  if (settings.asset === undefined || records.length === 0) return;
  if (!records.some((record) => assetIdsOf(record, settings).length > 0))
    throw new Refusal(422, 'No asset id');
}

/** A record that is the whole payload leaves an empty object. */
function removeFrom(payload: Member, slots: readonly Slot[]): void {
  if (slots.includes(payload)) payload.value = objectOf([]);
  removeSlots(payload.value, new Set(slots));
}
