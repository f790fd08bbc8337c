import {
  Explainer,
  Masking,
  TooLongError,
  type Explanation,
  type JsonPart,
  type Rules,
} from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import { now } from './clock.ts';
import type { Intent } from './intent.ts';
import type { Ports } from './ports.ts';
import { ProcessorTime } from './processor-time.ts';
import type { Assets, Decision } from './question.ts';
import { Report, type Counts } from './report.ts';
import type { Roots } from './roots.ts';
import type { IntentSettings } from './settings.ts';

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

/** What is enforced on. */
export interface Target {
  readonly json: JsonPart;
  readonly roots: Roots;
  /** What the PDP has to know of the payload. */
  readonly assets: Assets | undefined;
  readonly settings: IntentSettings;
}

/** A decision that is applied to one payload: a plan is made, the payload masked and the result reported. */
class Application {
  readonly #rules: Rules;
  readonly #lacksFilterRules: boolean;
  readonly #report: Report;
  readonly #explainer: Explainer | undefined;
  readonly #masking: Masking;
  readonly #signal: AbortSignal | undefined;

  constructor(decision: Decision, { json, roots, settings }: Target, intent: Intent, ports: Ports) {
    const isExplained = ports.explain !== undefined;
    const { rules, plan } = ports.plans.compile(decision, settings, roots.frame, isExplained);
    const { doc, node: payload } = json;
    const explainer = ports.explain && new Explainer({ doc, payload, rules, plan }, ports.explain);
    this.#rules = rules;
    this.#lacksFilterRules = plan.filter.lacksRules;
    this.#report = new Report(intent, roots.frame, ports, explainer);
    this.#explainer = explainer;
    this.#masking = new Masking({
      doc,
      payload,
      roots: roots.places,
      plan,
      assetId: intent.parameters.assetId,
      observer: this.#report,
      room: ports.room,
    });
    this.#signal = ports.signal;
  }

  /**
   * Masks on.
   *
   * @param words how much, in words of the tape
   * @returns whether all of the payload is masked
   */
  advance(words: number): boolean {
    this.#signal?.throwIfAborted();
    return this.#masking.advance(words);
  }

  /** Once all of the payload is masked. */
  finish(): { readonly payload: readonly Buffer[]; readonly counts: Counts } {
    const payload = this.#masking.finish();
    this.#report.finish(this.#rules, this.#lacksFilterRules);
    return { payload, counts: this.#report.counts };
  }

  explanation(): Explanation | undefined {
    return this.#explainer?.explanation();
  }
}

/** Applies a decision that was known. */
export function apply(decision: Decision, target: Target, intent: Intent, ports: Ports): Enforced {
  if (ports.explain === undefined) return applyAtOnce(decision, target, intent, ports);
  const steps = applying({ decision, waited: 0 }, target, intent, ports, Infinity);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Without pauses, and without what an explanation needs: a small payload notices both. */
function applyAtOnce(decision: Decision, target: Target, intent: Intent, ports: Ports): Enforced {
  const part = ports.trace?.begin('mask');
  // To read the clock takes a few percent of the time of a small payload.
  const begun = part === undefined ? 0 : now();
  try {
    const application = new Application(decision, target, intent, ports);
    application.advance(Infinity);
    const { payload, counts } = application.finish();
    part?.end(now() - begun);
    return { payload, counts, explanation: undefined };
  } catch (error) {
    part?.fail(now() - begun);
    throw publicErrorOf(error);
  }
}

/** A decision, and how long the PDP took, in milliseconds. */
interface Decided {
  readonly decision: Decision;
  readonly waited: number;
}

/**
 * Applies a decision, with pauses.
 *
 * @param words how much is masked before each pause
 */
export function* applying(
  { decision, waited }: Decided,
  target: Target,
  intent: Intent,
  ports: Ports,
  words: number,
): Generator<undefined, Enforced> {
  const part = ports.trace?.begin('mask');
  const time = new ProcessorTime(target.json.doc.bytes.length);
  let begun = now();
  let worked = 0;
  let isDone = false;
  try {
    const application = new Application(decision, target, intent, ports);
    while (!application.advance(words)) {
      worked += now() - begun;
      time.pause();
      yield;
      begun = now();
      time.resume();
    }
    const { payload, counts } = application.finish();
    const explanation = application.explanation();
    worked += now() - begun;
    isDone = true;
    const timings = { pdp: tenths(waited), mask: tenths(worked) };
    return { payload, counts, explanation: explanation && { ...explanation, timings } };
  } catch (error) {
    throw publicErrorOf(error);
  } finally {
    if (isDone) part?.end(worked);
    else part?.fail(worked);
  }
}

function publicErrorOf(error: unknown): unknown {
  if (!(error instanceof TooLongError)) return error;
  return new ServiceError(
    'answer-too-large',
    `The answer would take more than ${error.limit} bytes (maxAnswer).`,
  );
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
