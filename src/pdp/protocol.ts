import type { Rules } from '../core/index.ts';
import type { Decision, Question } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import type { Answers, Call, Message, Pdp, PdpConnection, Transport } from './port.ts';

/** How a PDP is asked over HTTP and how its answers are read. Each has a folder in `protocols/`. */
export interface Protocol {
  /**
   * The messages that make up a question.
   *
   * @throws ServiceError `request-invalid` if the caller left out what the protocol needs
   */
  ask(question: Question): readonly Message[];
  /**
   * Reads the answers, one for each message.
   *
   * @throws ServiceError `decision-not-understood`, or `access-denied` if the PDP denies the request as a whole
   */
  read(answers: Answers, question: Question): Rules;
  /** How long the answers may be used again, in seconds; undefined if they do not say. */
  validityOf?(answers: Answers): number | undefined;
  /** What `read` takes from the question besides its settings, if it takes anything. */
  readingOf?(question: Question): unknown;
}

/** A PDP that is asked by a protocol. */
export function pdpSpeaking(protocol: Protocol, transport: Transport): Pdp {
  return new ProtocolPdp(protocol, transport);
}

class ProtocolPdp implements Pdp {
  readonly #protocol: Protocol;
  readonly #transport: Transport;

  constructor(protocol: Protocol, transport: Transport) {
    this.#protocol = protocol;
    this.#transport = transport;
  }

  async decide(question: Question): Promise<Decision> {
    const messages = this.#protocol.ask(question);
    const answers = messages.length === 0 ? [] : await this.#transport.decide(this.#call(question, messages));
    return new ReadDecision(this.#protocol, answers, question, this.#transport.remembers ?? false);
  }

  connection(): Promise<PdpConnection> {
    return this.#transport.connection();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #call(question: Question, messages: readonly Message[]): Call {
    const { calculationType, headers, signal } = question;
    return {
      calculationType,
      headers,
      messages,
      validityOf: (answers) => this.#validityOf(answers, question),
      ...(signal && { signal }),
    };
  }

  /** In seconds; 0 for answers that are no decision: an error must end when the PDP answers otherwise. */
  #validityOf(answers: Answers, question: Question): number {
    const validity = this.#protocol.validityOf?.(answers) ?? 0;
    return validity > 0 && isDecision(this.#protocol, answers, question) ? validity : 0;
  }
}

function isDecision(protocol: Protocol, answers: Answers, question: Question): boolean {
  try {
    protocol.read(answers, question);
    return true;
  } catch {
    return false;
  }
}

/** Answers that are read when their rules are asked for. */
class ReadDecision implements Decision {
  readonly fingerprint: Uint8Array;
  readonly #protocol: Protocol;
  readonly #answers: Answers;
  readonly #question: Question;
  readonly #isRemembered: boolean;
  #rules: Rules | undefined;

  constructor(protocol: Protocol, answers: Answers, question: Question, isRemembered: boolean) {
    this.#protocol = protocol;
    this.#answers = answers;
    this.#question = question;
    this.#isRemembered = isRemembered;
    this.fingerprint = fingerprintOf(answers, protocol.readingOf?.(question));
  }

  get rules(): Rules {
    return (this.#rules ??= this.#protocol.read(this.#answers, this.#question));
  }

  /** Undefined for what is remembered: only the memory knows how old it is, and may be asked again. */
  get validForSeconds(): number | undefined {
    return this.#isRemembered ? undefined : this.#protocol.validityOf?.(this.#answers);
  }
}

/** The bytes of the answers; in front of several, and of what else is read, how long each is. */
function fingerprintOf(answers: Answers, reading: unknown): Uint8Array {
  const [only] = answers;
  if (only !== undefined && answers.length === 1 && reading === undefined) return only;
  const head = JSON.stringify([answers.map(({ byteLength }) => byteLength), reading ?? null]);
  return Buffer.concat([Buffer.from(head), ...answers]);
}

/** The answer to a question of one message. */
export function onlyAnswer([answer]: Answers): Uint8Array {
  if (answer === undefined) throw new ServiceError('pdp-failed', 'The PDP did not answer.');
  return answer;
}
