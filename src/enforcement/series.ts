import type { Frame } from '../core/index.ts';
import { apply, type Enforced } from './apply.ts';
import type { Rest } from './event-loop-scheduler.ts';
import type { Intent } from './intent.ts';
import { readPayload, type Payload } from './payload.ts';
import { isSameFrame, type CompiledDecision, type Compiler } from './plans.ts';
import type { Ports } from './ports.ts';
import type { Decision } from './question.ts';
import { findRoots } from './roots.ts';
import { settingsFor, type IntentSettings } from './settings.ts';

/**
 * Enforces one decision on payload after payload, each at once, for a place that schedules and traces that work itself. What is the
 * same for all of them is found once.
 */
export class Series {
  readonly #decision: Decision;
  readonly #intent: Intent;
  readonly #ports: Ports;
  readonly #settings: IntentSettings;

  /** @param intent whose question does not need the payload */
  constructor(decision: Decision, intent: Intent, ports: Ports) {
    this.#decision = decision;
    this.#intent = intent;
    this.#ports = { ...ports, trace: undefined, plans: new LatestPlan(ports.plans) };
    this.#settings = settingsFor(intent.parameters, ports.settings);
  }

  /** @returns what is left to do if it takes longer than a step @throws ServiceError with a code of docs/errors.md */
  enforce(payload: Payload): Enforced | Rest<Enforced> {
    const { settings } = this.#ports;
    const json = readPayload(payload, settings.maxDepth);
    const roots = findRoots(json, this.#intent.parameters.root, settings.rootWord);
    const target = { json, roots, assets: undefined, settings: this.#settings };
    return apply({ decision: this.#decision, waited: 0 }, target, this.#intent, this.#ports);
  }
}

/** The plan of one decision under the same settings: payloads after one another have the same frame, as a rule. */
class LatestPlan implements Compiler {
  readonly #plans: Compiler;
  #latest: { readonly frame: Frame; readonly compiled: CompiledDecision } | undefined;

  constructor(plans: Compiler) {
    this.#plans = plans;
  }

  compile(
    decision: Decision,
    settings: IntentSettings,
    frame: Frame,
    isExplained?: boolean,
  ): CompiledDecision {
    if (this.#latest === undefined || !isSameFrame(this.#latest.frame, frame))
      this.#latest = { frame, compiled: this.#plans.compile(decision, settings, frame, isExplained) };
    return this.#latest.compiled;
  }
}
