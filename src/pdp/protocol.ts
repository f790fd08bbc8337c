import type { Rules } from '../core/index.ts';
import type { Decision, Question } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import type { Answers, Call, Message, Pdp, PdpConnection, Transport } from './port.ts';

/** How a PDP is asked over HTTP and how its answers are read. Each has a folder here. */
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
    return new ReadDecision(this.#protocol, answers, question);
  }

  connection(): Promise<PdpConnection> {
    return this.#transport.connection();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #call({ calculationType, headers, signal }: Question, messages: readonly Message[]): Call {
    return {
      calculationType,
      headers,
      messages,
      validityOf: (answers) => this.#protocol.validityOf?.(answers) ?? 0,
      ...(signal && { signal }),
    };
  }
}

/** Answers that are read when their rules are asked for. */
class ReadDecision implements Decision {
  readonly fingerprint: Uint8Array;
  readonly #protocol: Protocol;
  readonly #answers: Answers;
  readonly #question: Question;
  #rules: Rules | undefined;

  constructor(protocol: Protocol, answers: Answers, question: Question) {
    this.#protocol = protocol;
    this.#answers = answers;
    this.#question = question;
    this.fingerprint = fingerprintOf(answers, protocol.readingOf?.(question));
  }

  get rules(): Rules {
    return (this.#rules ??= this.#protocol.read(this.#answers, this.#question));
  }

  get validForSeconds(): number | undefined {
    return this.#protocol.validityOf?.(this.#answers);
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
