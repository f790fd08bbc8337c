import { performance } from 'node:perf_hooks';
import {
  Explainer,
  RecordAttribute,
  Subject,
  TooLongError,
  maskPayload,
  type Explanation,
  type JsonPart,
  type MaskingTask,
} from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import { findAssetIds } from './assets.ts';
import type { Intent } from './intent.ts';
import { readPayload, sizeOf, type Payload } from './payload.ts';
import type { Ports } from './ports.ts';
import type { Assets, Decision } from './question.ts';
import { Report, type Counts } from './report.ts';
import { findRoots, type Roots } from './roots.ts';
import { settingsFor } from './settings.ts';

export interface Enforced {
  /** The modified payload, in chunks: JSON in UTF-8. */
  readonly payload: readonly Buffer[];
  readonly counts: Counts;
  /** Undefined unless the ports ask for it. */
  readonly explanation: TimedExplanation | undefined;
}

/** Why the payload became what it is, and how long that took. */
export interface TimedExplanation extends Explanation {
  /** Milliseconds, to one decimal place. */
  readonly timings: { readonly pdp: number; readonly mask: number };
}

/**
 * Enforces on one payload what the PDP decides about an intent. A place of enforcement uses it in three steps:
 *
 * 1. It reads an {@link Intent}: `intentFrom` from texts, `readIntent` from parts of a scanned document.
 * 2. It may call {@link ask} before the payload has arrived, and pass on the intent that `ask` returns. The same intent
 *    serves any number of payloads.
 * 3. It calls `enforce` for each payload, and sends the result or maps the error. After an error it sends no payload.
 *
 * Its synchronous work takes turns with that of other requests.
 *
 * @throws ServiceError with a code of docs/errors.md
 */
export async function enforce(payload: Payload, intent: Intent, ports: Ports): Promise<Enforced> {
  const { signal, scheduler, plans, trace, explain } = ports;
  const settings = settingsFor(intent.parameters, ports.settings);
  const size = sizeOf(payload);

  const { json, roots, assets } = await scheduler.run(size, () => {
    signal.throwIfAborted();
    const read = readPayload(payload, ports.settings.maxDepth);
    const found = findRoots(read, intent.parameters.root, ports.settings.rootWord);
    return { json: read, roots: found, assets: assetsOf(read, found, intent) };
  });

  const asked = performance.now();
  const decision = await (intent.decision ?? decide(intent, assets, ports));
  const answered = performance.now();

  return scheduler.run(size, () =>
    trace.measure('mask', () => {
      signal.throwIfAborted();
      const { rules, plan } = plans.compile(decision, settings, roots.frame);
      const { doc, node } = json;
      const explainer = explain && new Explainer({ doc, payload: node, rules, plan }, explain);
      const report = new Report(intent, roots.frame, ports, explainer);
      const begun = performance.now();
      const masked = mask({
        doc,
        payload: node,
        roots: roots.places,
        plan,
        assetId: intent.parameters.assetId,
        observer: report,
        room: ports.room,
      });
      report.finish(rules, plan.filter.lacksRules);
      const timings = { pdp: tenths(answered - asked), mask: tenths(performance.now() - begun) };
      const explanation = explainer && { ...explainer.explanation(), timings };
      return { payload: masked, counts: report.counts, explanation };
    }),
  );
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/**
 * Asks the PDP ahead of the payload. If the question needs the payload's asset identifiers, it does nothing and `enforce` asks.
 *
 * @returns the intent with its decision; if it has none, `enforce` reports why
 */
export function ask(intent: Intent, ports: AskingPorts): Intent {
  if (needsAssets(intent)) return intent;
  const decision = decide(intent, undefined, ports);
  decision.catch(() => undefined);
  return { ...intent, decision };
}

type AskingPorts = Pick<Ports, 'pdp' | 'settings' | 'keys' | 'signal'>;

function decide(
  { parameters, vendor, headers, claims }: Intent,
  assets: Assets | undefined,
  { pdp, settings, keys, signal }: AskingPorts,
): Promise<Decision> {
  return pdp.decide({
    calculationType: parameters.calculationType,
    headers,
    vendor,
    claims,
    assets,
    settings: settingsFor(parameters, settings),
    keys,
    signal,
  });
}

function needsAssets({ parameters }: Intent): boolean {
  return parameters.calculationType === 'context';
}

function assetsOf(payload: JsonPart, roots: Roots, intent: Intent): Assets | undefined {
  const { assetId, protectedObject } = intent.parameters;
  if (!needsAssets(intent) || protectedObject === undefined || assetId === undefined) return undefined;
  const subject = new Subject(payload.doc, payload.node, roots.places);
  return { type: protectedObject, ids: findAssetIds(subject, new RecordAttribute(assetId, roots.frame)) };
}

function mask(task: MaskingTask): readonly Buffer[] {
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
