import type { Rules } from '../../../core/index.ts';
import type { Decision, Question } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import type { Pdp } from '../../port.ts';
import { readDecisionValue } from '../../decisions/index.ts';
import { identifyCaller, type Identify } from './identify.ts';
import { KnownDecisions, type WrittenDecision } from './known-decisions.ts';
import type { PolicyFile } from '../../policies/index.ts';
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
  const known = new KnownDecisions();
  let closed = false;
  return {
    async decide(question) {
      if (closed) throw new ServiceError('pdp-unreachable', 'The PDP is closed.');
      question.signal?.throwIfAborted();
      const file = policies.current;
      return new EmbeddedDecision(await decisionOn(file, question, identify, known), file, question);
    },
    connection: () =>
      Promise.resolve(closed ? { connected: false, reason: 'The PDP is closed.' } : { connected: true }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

async function decisionOn(
  file: PolicyFile,
  question: Question,
  identify: Identify,
  known: KnownDecisions,
): Promise<WrittenDecision> {
  try {
    const asked = known.ask(question);
    const caller = identify(file, asked.question, question.headers);
    const { calculationType } = question;
    return known.decide(file, calculationType, asked, caller instanceof Promise ? await caller : caller);
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
  readonly #decision: WrittenDecision['decision'];
  readonly #question: Question;
  readonly #names: Pick<PolicyFile, 'attrName' | 'object'>;
  #rules: Rules | undefined;

  constructor(
    { decision, fingerprint }: WrittenDecision,
    { attrName, object }: PolicyFile,
    question: Question,
  ) {
    this.fingerprint = fingerprint;
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
