import {
  Explainer,
  Masking,
  TooLongError,
  TooManyStatesError,
  TooMuchReadError,
  type Explanation,
  type JsonPart,
  type Rules,
} from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import { Rest } from './event-loop-scheduler.ts';
import type { Intent } from './intent.ts';
import type { Ports } from './ports.ts';
import { ProcessorTime } from './processor-time.ts';
import type { Assets, Decision } from './question.ts';
import { Report, type Counts } from './report.ts';
import type { Roots } from './roots.ts';
import type { IntentSettings } from './settings.ts';
import { WorkTime } from './work-time.ts';

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

  constructor(
    decision: Decision,
    { json, roots, settings }: Target,
    intent: Intent,
    ports: Ports,
    work: WorkTime,
  ) {
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
      isLate: () => work.isLate(),
    });
    this.#signal = ports.signal;
  }

  /** Masks for a step. @returns whether all of the payload is masked */
  advance(): boolean {
    this.#signal?.throwIfAborted();
    return this.#masking.advance();
  }

  /** Once all of the payload is masked. */
  finish(): Pick<Enforced, 'payload' | 'counts'> {
    const payload = this.#masking.finish();
    this.#report.finish(this.#rules, this.#lacksFilterRules);
    return { payload, counts: this.#report.counts };
  }

  explanation(): Explanation | undefined {
    return this.#explainer?.explanation();
  }
}

/** A decision, and how long the PDP took, in milliseconds. */
interface Decided {
  readonly decision: Decision;
  readonly waited: number;
}

/** Applies a decision: at once, if that does not take long. */
export function apply(
  { decision, waited }: Decided,
  target: Target,
  intent: Intent,
  ports: Ports,
): Enforced | Rest<Enforced> {
  const work = new WorkTime(ports.trace?.begin('mask'), ports.explain !== undefined);
  try {
    const application = new Application(decision, target, intent, ports, work);
    if (application.advance()) return finished(application, work, waited);
    work.pause();
    const goOn = (): Application => {
      work.resume();
      return application;
    };
    return new Rest(masking(goOn, target, work, waited));
  } catch (error) {
    work.fail();
    throw publicErrorOf(error);
  }
}

/** Applies a decision, with pauses. */
export function* applying(
  { decision, waited }: Decided,
  target: Target,
  intent: Intent,
  ports: Ports,
): Generator<undefined, Enforced> {
  const work = new WorkTime(ports.trace?.begin('mask'), true);
  const begin = (): Application => new Application(decision, target, intent, ports, work);
  return yield* masking(begin, target, work, waited);
}

/**
 * Masks what is left, with a pause before each step.
 *
 * @param begin called when the first step has its turn: what others do until then is no part of the work
 */
function* masking(
  begin: () => Application,
  { json }: Target,
  work: WorkTime,
  waited: number,
): Generator<undefined, Enforced> {
  const time = new ProcessorTime(json.doc.bytes.length);
  try {
    const application = begin();
    do {
      work.pause();
      time.pause();
      yield;
      work.resume();
      time.resume();
    } while (!application.advance());
    return finished(application, work, waited);
  } catch (error) {
    work.fail();
    throw publicErrorOf(error);
  }
}

function finished(application: Application, work: WorkTime, waited: number): Enforced {
  const { payload, counts } = application.finish();
  const explanation = application.explanation();
  const timings = explanation && { pdp: tenths(waited), mask: tenths(work.worked()) };
  work.end();
  return { payload, counts, explanation: explanation && timings && { ...explanation, timings } };
}

function publicErrorOf(error: unknown): unknown {
  if (error instanceof TooMuchReadError)
    return new ServiceError(
      'enforcement-too-costly',
      'The conditions of the decision would read too much of one record.',
    );
  if (error instanceof TooManyStatesError)
    return new ServiceError(
      'enforcement-too-costly',
      'The names of the payload meet too many combinations of the conditions of the decision.',
    );
  if (!(error instanceof TooLongError)) return error;
  return new ServiceError(
    'answer-too-large',
    `The answer would take more than ${error.limit} bytes (maxAnswer).`,
  );
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
