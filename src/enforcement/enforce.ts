import type { Logger } from '../telemetry/log/logger.ts';
import type { MaskKeys } from '../core/actions/mask-keys.ts';
import { TooLongError, type SplicerRoom } from '../core/json/splicer.ts';
import { maskPayload, type MaskingTask } from '../core/mask.ts';
import { RecordAttribute } from '../core/plan/record-attribute.ts';
import { Subject } from '../core/plan/record.ts';
import { ServiceError } from '../errors.ts';
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
  /** The claims of a token that the service verified; undefined if it verified none. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** Carries the request's id in every line. */
  readonly log: Logger;
  readonly trace: Trace;
  /** What the answer may take up: its bytes count among those in flight as it grows. */
  readonly room: SplicerRoom;
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
  /** The keys that hashes may use. */
  readonly keys: MaskKeys;
}

/**
 * Enforces what the PDP decides on a payload (specification 4.1). What it does itself is done in turns with other requests.
 *
 * @throws ServiceError whatever of enforcement §10 applies; then there is no payload
 */
export async function enforce(
  call: Call,
  { pdp, configuration, turns, plans, keys }: EnforceDependencies,
): Promise<Enforced> {
  const size = call.body.length;
  const prepared = await turns.take(size, () => prepare(call, configuration, keys));
  const decision = await pdp.decide(prepared.question);
  return turns.take(size, () =>
    call.trace.measure('mask', () => applyDecision(decision, prepared, call, plans)),
  );
}

/** What is known of a request once it is read: what is asked of the PDP, and what the answer is applied to. */
type Prepared = ReturnType<typeof prepare>;

function prepare(call: Call, configuration: EnforcementConfiguration, keys: MaskKeys) {
  call.signal.throwIfAborted();
  const { doc, parameters, vendor, payload } = readRequest(call.body, configuration.maxDepth);
  const settings = settingsFor(parameters, configuration);
  const roots = findRoots(doc, payload, parameters.root, configuration.rootWord);
  const { assetId } = parameters;
  const { protectedObject } = settings;
  const assets =
    protectedObject === undefined || assetId === undefined
      ? undefined
      : {
          type: protectedObject,
          ids: findAssetIds(
            new Subject(doc, payload, roots.places),
            new RecordAttribute(assetId, roots.frame),
          ),
        };

  const { headers, claims, signal } = call;
  const { calculationType } = parameters;
  const question: Question = {
    calculationType,
    headers,
    doc,
    vendor,
    claims,
    assets,
    settings,
    keys,
    signal,
  };
  const user = userOf(doc, vendor, call.headers);
  const audit = configuration.audit ? new Audit(call.log, user) : undefined;
  const recorder = new Recorder(new DryRunLog(call.log, user, roots.frame), audit);
  return { doc, payload, settings, roots, assetId, question, recorder, audit };
}

function applyDecision(decision: Decision, prepared: Prepared, call: Call, plans: Plans): Enforced {
  call.signal.throwIfAborted();
  const { doc, payload, settings, roots, assetId, recorder, audit } = prepared;
  const { rules, plan } = plans.compile(decision, settings, roots.frame);
  if (plan.filter.lacksRules)
    call.log.warn(
      'No FILTER rule in the decision allows records: all that none denies are kept (filterDefault: allow)',
    );

  const { room } = call;
  const masked = masking({ doc, payload, roots: roots.places, plan, assetId, observer: recorder, room });
  audit?.log(rules);
  const { unreadable } = recorder.counts;
  if (unreadable > 0)
    call.log.warn('Conditions compared values that do not read as their type, and so never match', {
      count: unreadable,
    });
  return { payload: masked, counts: recorder.counts };
}

function masking(task: MaskingTask): readonly Buffer[] {
  try {
    return maskPayload(task);
  } catch (error) {
    if (!(error instanceof TooLongError)) throw error;
    throw new ServiceError(
      'answer-too-large',
      `The answer would take more than ${error.limit} bytes (maxAnswer).`,
    );
  }
}
