import type { Rules } from '../../../core/index.ts';
import type { Decision, Question } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import type { Pdp } from '../../port.ts';
import { readDecisionValue } from '../../decisions/index.ts';
import { decide } from './answer.ts';
import { identifyCaller, type Identify } from './identify.ts';
import type { Decision as PolicyDecision } from './decision.ts';
import type { PolicyFile } from '../../policies/index.ts';
import { questionFrom } from './question.ts';
import type { CurrentPolicies } from './policy-file/watch.ts';
import { PdpRefusal, serviceErrorFrom } from './refusal.ts';

/**
 * The PDP inside the service: evaluates a policy file and hands over the rules. It needs nothing from the network, so it
 * is connected until it is closed.
 *
 * @param policies from `loadPolicyFile`; if they change, a decision is that of one version
 * @param identify how it finds out who asks
 */
export function createEmbeddedPdp(policies: CurrentPolicies, identify: Identify = identifyCaller): Pdp {
  let closed = false;
  return {
    async decide(question) {
      if (closed) throw new ServiceError('pdp-unreachable', 'The PDP is closed.');
      question.signal?.throwIfAborted();
      const file = policies.current;
      return new EmbeddedDecision(await decisionOn(file, question, identify), file, question);
    },
    connection: () =>
      Promise.resolve(closed ? { connected: false, reason: 'The PDP is closed.' } : { connected: true }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

async function decisionOn(file: PolicyFile, question: Question, identify: Identify): Promise<PolicyDecision> {
  const { calculationType, headers } = question;
  try {
    return await decide(file, calculationType, questionFrom(question), headers, identify);
  } catch (error) {
    throw error instanceof PdpRefusal ? serviceErrorFrom(error) : error;
  }
}

/**
 * The rules come from the decision as it is: it is written as JSON for its fingerprint only, and never parsed. The names of
 * properties are those of the policy file that decided, whatever the file has become since.
 */
class EmbeddedDecision implements Decision {
  readonly fingerprint: Uint8Array;
  readonly #decision: PolicyDecision;
  readonly #question: Question;
  readonly #names: Pick<PolicyFile, 'attrName' | 'object'>;
  #rules: Rules | undefined;

  constructor(decision: PolicyDecision, { attrName, object }: PolicyFile, question: Question) {
    const { response, maskShort } = decision;
    this.fingerprint = Buffer.from(JSON.stringify([attrName, object, maskShort, response]));
    this.#decision = decision;
    this.#question = question;
    this.#names = { attrName, object };
  }

  get rules(): Rules {
    const { settings, keys } = this.#question;
    return (this.#rules ??= readDecisionValue(this.#decision, { ...settings, ...this.#names }, [], keys));
  }

  get validForSeconds(): number {
    return this.#decision.tokenValidity;
  }
}
