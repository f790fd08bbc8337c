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
  const decideSoon = (question: Question): Decision | Promise<Decision> => {
    if (closed) throw new ServiceError('pdp-unreachable', 'The PDP is closed.');
    if (question.signal?.aborted === true) question.signal.throwIfAborted();
    const file = policies.current;
    const written = decisionOn(file, question, identify, known);
    if (!(written instanceof Promise)) return new EmbeddedDecision(written, file, question);
    return written.then((one) => new EmbeddedDecision(one, file, question));
  };
  return {
    decide: async (question) => decideSoon(question),
    decideSoon,
    connection: () =>
      Promise.resolve(closed ? { connected: false, reason: 'The PDP is closed.' } : { connected: true }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

function decisionOn(
  file: PolicyFile,
  question: Question,
  identify: Identify,
  known: KnownDecisions,
): WrittenDecision | Promise<WrittenDecision> {
  const { calculationType, headers } = question;
  try {
    const asked = known.ask(question);
    const caller = identify(file, asked.question, headers);
    if (!(caller instanceof Promise)) return known.decide(file, calculationType, asked, caller);
    return caller.then((one) => known.decide(file, calculationType, asked, one)).catch(refused);
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): never {
  throw error instanceof PdpRefusal ? serviceErrorFrom(error) : error;
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
    return (this.#rules ??= this.#read());
  }

  /** Of filters that do nothing, the log says so when the policy file is loaded. */
  #read(): Rules {
    const { settings, keys } = this.#question;
    const rules = readDecisionValue(this.#decision, { ...settings, ...this.#names }, [], keys);
    return { ...rules, hasIdleFilters: false };
  }

  get validForSeconds(): number {
    return this.#decision.tokenValidity;
  }
}
