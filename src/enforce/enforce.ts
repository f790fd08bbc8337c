import { readDecision } from '../decision/decision.ts';
import type { Logger } from '../logging/logger.ts';
import { maskPayload } from '../masking/mask.ts';
import { Attribute } from '../masking/path/attribute.ts';
import { Plan } from '../masking/plan/plan.ts';
import { Scope } from '../masking/plan/scope.ts';
import type { HeaderFields, PdpPort } from '../pdp/port.ts';
import { buildPdpRequest } from '../pdp/request.ts';
import { findAssetIds } from './assets.ts';
import { DryRunLog } from './dry-run.ts';
import { Recorder, type Counts } from './recorder.ts';
import { readRequest } from './request.ts';
import { findRoots } from './roots.ts';
import { settingsFor, type EnforcementConfiguration } from './settings.ts';
import { userOf } from './user.ts';

/** One call of the service. */
export interface Call {
  /** The body: JSON in UTF-8. */
  readonly body: Buffer;
  /** What of the caller's headers goes on to the PDP. */
  readonly headers: HeaderFields;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** Carries the request's id in every line. */
  readonly log: Logger;
}

export interface Enforced {
  /** The modified payload: JSON in UTF-8. */
  readonly payload: Buffer;
  readonly counts: Counts;
}

export interface EnforceDependencies {
  readonly pdp: PdpPort;
  readonly configuration: EnforcementConfiguration;
}

/**
 * Enforces what the PDP decides on a payload (specification 4.1).
 *
 * @throws ServiceError whatever of enforcement §10 applies; then there is no payload
 */
export async function enforce(call: Call, { pdp, configuration }: EnforceDependencies): Promise<Enforced> {
  const { doc, parameters, unknownParameters, vendor, payload } = readRequest(
    call.body,
    configuration.maxDepth,
  );
  if (unknownParameters.length > 0)
    call.log.debug('Unknown parameters are ignored', { count: unknownParameters.length });

  const settings = settingsFor(parameters, configuration);
  const roots = findRoots(doc, payload, parameters.root, configuration.rootWord);
  const scope = new Scope(roots.path);
  const assetId = scope.inRecord(parameters.assetId ?? []).map((path) => new Attribute(path));
  const { protectedObject } = settings;
  const assets =
    protectedObject === undefined
      ? undefined
      : { type: protectedObject, ids: findAssetIds(doc, roots, assetId) };

  const answer = await pdp.decide({
    calculationType: parameters.calculationType,
    headers: call.headers,
    body: buildPdpRequest(doc, vendor, { assetType: settings.assetType, assets }),
    signal: call.signal,
  });

  const rules = readDecision(answer, settings);
  const plan = new Plan(rules, scope, settings.maskString);
  if (plan.filter.lacksRules)
    call.log.warn('No FILTER rule in the decision: all records are kept (filterDefault: allow)');

  const recorder = new Recorder(new DryRunLog(call.log, userOf(doc, vendor, call.headers)));
  const masked = maskPayload({ doc, payload, roots: roots.nodes, plan, assetId, observer: recorder });
  return { payload: masked, counts: recorder.counts };
}
