import type { Explanation, ExplanationLimits } from '../../core/index.ts';
import {
  ask,
  enforce,
  warningOnce,
  type Enforced,
  type EnforcementPorts,
  type Intent,
  type Ports,
} from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { notEnforced } from './command-failure.ts';

/** What a command enforces with. */
export interface Enforcing {
  readonly ports: EnforcementPorts;
  readonly intent: Intent;
  /** Dry runs, audit and warnings. */
  readonly log: Logger;
  /** The longest payload and the longest answer, in bytes. */
  readonly limits: { readonly payload: number; readonly answer: number };
}

/** Enforces payloads of one intent. */
export class CommandEnforcer {
  #ports: Ports;
  #intent: Intent;

  constructor({ ports, intent, log, limits }: Enforcing) {
    const room = { limit: limits.answer, reserve: () => undefined };
    this.#ports = { ...ports, log, room };
    this.#intent = intent;
  }

  /** Asks the PDP once for all payloads, if its decision does not depend on them, and warns once about all of them. */
  askOnce(): void {
    this.#ports = { ...this.#ports, log: warningOnce(this.#ports.log) };
    this.#intent = ask(this.#intent, this.#ports);
  }

  /**
   * @param name of the payload, for messages
   * @throws CommandFailure if it cannot be enforced
   */
  async enforce(payload: Buffer, name: string): Promise<readonly Buffer[]> {
    return (await this.#enforce(payload, name, this.#ports)).payload;
  }

  /**
   * @param name of the payload, for messages
   * @returns why the payload becomes what it does
   * @throws CommandFailure if it cannot be enforced
   */
  async explain(payload: Buffer, name: string, explain: ExplanationLimits): Promise<Explanation> {
    const { explanation } = await this.#enforce(payload, name, { ...this.#ports, explain });
    if (explanation === undefined) throw new Error('enforcement did not explain');
    return explanation;
  }

  async #enforce(payload: Buffer, name: string, ports: Ports): Promise<Enforced> {
    try {
      return await enforce(payload, this.#intent, ports);
    } catch (error) {
      throw error instanceof ServiceError ? notEnforced(name, error) : error;
    }
  }
}
