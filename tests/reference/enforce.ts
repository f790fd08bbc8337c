import { assetIdsOf } from './access.ts';
import { openDocument } from './document.ts';
import { applyEdit, editsOf, isRemoval } from './edits.ts';
import { filterOf } from './filter.ts';
import { dryRunLines } from './line.ts';
import { isContainer, objectOf, type Json, type Member, type Slot } from './model.ts';
import { checkParameters, type ReferenceParameters } from './parameters.ts';
import { parseJson } from './parse.ts';
import { parsePath } from './path.ts';
import { removeSlots } from './place.ts';
import { printJson } from './print.ts';
import { Refusal } from './refusal.ts';
import type { Asset, RuleSettings } from './rule.ts';
import { parseRules } from './rules.ts';

export type { ReferenceParameters } from './parameters.ts';

/** The keys of the configuration that have a part in enforcement (docs/enforcement.md#settings). */
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

/** A request together with what the PDP answers to it. */
export interface EnforcementProblem {
  readonly config: ReferenceConfig;
  readonly parameters: ReferenceParameters;
  readonly vendor: { readonly entityId?: string | undefined };
  readonly jsonText: string;
  readonly decision: unknown;
  /** The PDP's answer if its exact text matters; `decision` is not used then. */
  readonly decisionText?: string | undefined;
}

export type EnforcementAnswer =
  /** The payload without space between its tokens, and the dry runs' log lines in the order of the records. */
  | { readonly status: 200; readonly text: string; readonly dryRun: readonly string[] }
  | { readonly status: 400 | 422 | 502 };

/**
 * Enforces a decision on a payload the slow and obvious way: every rule is asked about every property of every record.
 * Follows docs/enforcement.md. Of the request, only what concerns the payload is checked.
 */
export function referenceEnforce(problem: EnforcementProblem): EnforcementAnswer {
  try {
    return enforce(problem);
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status };
    throw error;
  }
}

/** The text of the PDP's answer. */
export function decisionTextOf({ decision, decisionText }: EnforcementProblem): string {
  return decisionText ?? JSON.stringify(decision);
}

function enforce(problem: EnforcementProblem): EnforcementAnswer {
  const { config, parameters, vendor, jsonText } = problem;
  checkParameters(parameters);
  const asset = assetOf(parameters);
  const document = openDocument(parsePayload(jsonText), parameters.root, config.rootWord);
  const settings = { ...settingsOf(config, parameters), document, asset };
  requireAssetIds(settings);
  const { masks, filters } = parseRules(decisionTextOf(problem), settings);
  const filter = filterOf(filters, !settings.filtering || config.filterDefault === 'allow');
  const { applied, skippedIn } = editsOf(masks, document);
  const staying = document.records.filter(filter.stays);
  const dryRun = staying.flatMap((record) => {
    const policies = [...filter.wouldRemove(record), ...skippedIn(record)];
    return dryRunLines(policies, document, record, vendor.entityId ?? 'unknown');
  });
  const settingsOfMasks = {
    maskString: parameters.maskString ?? config.maskString ?? '***',
    maskShort: config.maskShort ?? false,
  };
  const gone = document.records.filter((record) => !staying.includes(record)).map(({ slot }) => slot);
  const removed = applied.filter(isRemoval).map(({ property }) => property.base.slot);
  applied.filter((edit) => !isRemoval(edit)).forEach((edit) => applyEdit(edit, settingsOfMasks));
  removeFrom(document.payload, [...removed, ...gone]);
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
): Omit<RuleSettings, 'document' | 'asset'> {
  return {
    assetType: parameters.assetType ?? config.assetType ?? 'columns',
    attrName: config.attrName,
    object: config.object,
    filtering: parameters.filter ?? parameters.FILTER ?? config.filter ?? false,
  };
}

function assetOf({ calculationType, assetId, protectedObject }: ReferenceParameters): Asset | undefined {
  if (calculationType !== 'context' || assetId === undefined || protectedObject === undefined)
    return undefined;
  const idPath = parsePath(assetId);
  if (idPath === undefined) throw new Refusal(400, 'The asset id is no path');
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
