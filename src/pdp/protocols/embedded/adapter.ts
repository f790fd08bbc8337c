import type { Rules } from '../../../core/index.ts';
import type { Decision, Question } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import type { Pdp } from '../../port.ts';
import { readDecisionValue } from '../resolution/decision.ts';
import { decide } from './answer.ts';
import type { Decision as PolicyDecision } from './decision.ts';
import type { PolicyFile } from './policy.ts';
import { questionFrom } from './question.ts';
import { PdpRefusal, serviceErrorFrom } from './refusal.ts';

/**
 * The PDP inside the service: evaluates a policy file and hands over the rules. It needs nothing from the network, so it
 * is connected until it is closed.
 *
 * @param file from `loadPolicyFile`
 */
export function createEmbeddedPdp(file: PolicyFile): Pdp {
  let closed = false;
  return {
    async decide(question) {
      if (closed) throw new ServiceError('pdp-unreachable', 'The PDP is closed.');
      question.signal?.throwIfAborted();
      return new EmbeddedDecision(await decisionOn(file, question), question);
    },
    connection: () =>
      Promise.resolve(closed ? { connected: false, reason: 'The PDP is closed.' } : { connected: true }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

async function decisionOn(file: PolicyFile, question: Question): Promise<PolicyDecision> {
  try {
    return await decide(file, question.calculationType, questionFrom(question), question.headers);
  } catch (error) {
    throw error instanceof PdpRefusal ? serviceErrorFrom(error) : error;
  }
}

/** The rules come from the decision as it is: it is written as JSON for its fingerprint only, and never parsed. */
class EmbeddedDecision implements Decision {
  readonly fingerprint: Uint8Array;
  readonly #decision: PolicyDecision;
  readonly #question: Question;
  #rules: Rules | undefined;

  constructor(decision: PolicyDecision, question: Question) {
    this.fingerprint = Buffer.from(JSON.stringify(decision.response));
    this.#decision = decision;
    this.#question = question;
  }

  get rules(): Rules {
    const { settings, keys } = this.#question;
    return (this.#rules ??= readDecisionValue(this.#decision, settings, [], keys));
  }

  get validForSeconds(): number {
    return this.#decision.tokenValidity;
  }
}
