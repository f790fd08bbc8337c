import type { Logger } from '../telemetry/log/logger.ts';
import { maskPayload } from '../core/mask.ts';
import { Attribute } from '../core/paths/attribute.ts';
import { Scope } from '../core/plan/scope.ts';
import type { Trace } from '../telemetry/traces/tracing.ts';
import { findAssetIds } from './assets.ts';
import { Audit } from './audit.ts';
import { DryRunLog } from './dry-run.ts';
import type { Decider, Decision, HeaderFields, Question } from './question.ts';
import { Recorder, type Counts } from './recorder.ts';
import { readRequest } from './request.ts';
import { findRoots } from './roots.ts';
import { settingsFor, type EnforcementConfiguration } from './settings.ts';
import type { Plans } from './plans.ts';
import type { Turns } from './turns.ts';
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
  readonly trace: Trace;
}

export interface Enforced {
  /** The modified payload, in chunks: JSON in UTF-8. */
  readonly payload: readonly Buffer[];
  readonly counts: Counts;
}

export interface EnforceDependencies {
  readonly pdp: Decider;
  readonly configuration: EnforcementConfiguration;
  readonly turns: Turns;
  readonly plans: Plans;
}

/**
 * Enforces what the PDP decides on a payload (specification 4.1). What it does itself is done in turns with other requests.
 *
 * @throws ServiceError whatever of enforcement §10 applies; then there is no payload
 */
export async function enforce(
  call: Call,
  { pdp, configuration, turns, plans }: EnforceDependencies,
): Promise<Enforced> {
  const size = call.body.length;
  const prepared = await turns.take(size, () => prepare(call, configuration));
  const decision = await pdp.decide(prepared.question);
  return turns.take(size, () =>
    call.trace.measure('mask', () => applyDecision(decision, prepared, call, plans)),
  );
}

/** What is known of a request once it is read: what is asked of the PDP, and what the answer is applied to. */
type Prepared = ReturnType<typeof prepare>;

function prepare(call: Call, configuration: EnforcementConfiguration) {
  call.signal.throwIfAborted();
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

  const { headers, signal } = call;
  const { calculationType } = parameters;
  const question: Question = { calculationType, headers, doc, vendor, assets, settings, signal };
  const user = userOf(doc, vendor, call.headers);
  const audit = configuration.audit ? new Audit(call.log, user) : undefined;
  const recorder = new Recorder(new DryRunLog(call.log, user), audit);
  return { doc, payload, settings, roots, assetId, question, recorder, audit };
}

function applyDecision(decision: Decision, prepared: Prepared, call: Call, plans: Plans): Enforced {
  call.signal.throwIfAborted();
  const { doc, payload, settings, roots, assetId, recorder, audit } = prepared;
  const { rules, plan } = plans.compile(decision, settings, roots.path);
  if (plan.filter.lacksRules)
    call.log.warn(
      'No FILTER rule in the decision allows records: all that none denies are kept (filterDefault: allow)',
    );

  const masked = maskPayload({ doc, payload, roots: roots.nodes, plan, assetId, observer: recorder });
  audit?.log(rules);
  return { payload: masked, counts: recorder.counts };
}
