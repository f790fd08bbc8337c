import { ServiceError } from '../../errors.ts';
import {
  changesOfAnswer,
  changesOfPassing,
  notEnforceable,
  planFor,
  type AnswerHead,
  type AnswerPlan,
  type ContentCoding,
  type FieldChanges,
  type RecordFormat,
  type RecordPiece,
} from '../answer/index.ts';
import { declaredLength } from '../listener/index.ts';
import type { EnforcingAdmission } from './admission.ts';
import type { AnswerBody } from './answer-body.ts';
import type { Answer } from './http-exchange.ts';
import { PassedAnswer } from './passed-answer.ts';
import type { BodyMode, Fields, Part } from './protocol/request.ts';
import { headersAnswer, trailersAnswer, withTrailers } from './protocol/response.ts';
import { RecordBody } from './record-body.ts';
import type { Outlet } from './stream.ts';
import { WholeBody } from './whole-body.ts';

interface EnforcedAnswerOptions {
  /** Of the request. */
  readonly method: string;
  readonly outlet: Outlet;
  readonly mode: BodyMode;
  /** How long a whole body, or the next part of a stream, may take to arrive, in milliseconds. */
  readonly bodyTimeout: number;
  /** Called if the answer cannot be enforced: that may show while no part of it is being taken. */
  readonly onFailure: (error: unknown) => void;
}

/** There may be a body, or none. */
type OpenPlan = Extract<AnswerPlan, { readonly kind: 'enforce' | 'refuse' }>;

const BODILESS: AnswerPlan = { kind: 'bodiless' };
const SWITCHING_PROTOCOLS = 101;

/** An answer that is enforced: nothing of its body goes on before it is masked. */
export class EnforcedAnswer implements Answer {
  readonly #admission: EnforcingAdmission;
  readonly #options: EnforcedAnswerOptions;
  #changes: FieldChanges = { set: [], remove: [] };
  #body: AnswerBody | undefined;
  /** Whether the body goes on record by record. */
  #isStreamed = false;
  #passed: PassedAnswer | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #isHeadSent = false;
  #hasBody = false;
  #isBodySent = false;
  #isClosed = false;
  isComplete = false;

  constructor(admission: EnforcingAdmission, options: EnforcedAnswerOptions) {
    this.#admission = admission;
    this.#options = options;
  }

  /** Whether it is not JSON, and goes on as it is. */
  get isPassed(): boolean {
    return this.#passed !== undefined;
  }

  /** In mode BUFFERED, Envoy keeps the headers until it has the body. */
  get hasBegun(): boolean {
    return this.#isHeadSent && this.#options.mode === 'FULL_DUPLEX_STREAMED';
  }

  /** @param last whether the answer has no body and no trailers */
  async begin(head: AnswerHead, last: boolean): Promise<void> {
    const { outlet, mode } = this.#options;
    const plan = this.#planFor(head, last);
    if (plan.kind === 'pass') {
      this.#passed = new PassedAnswer(outlet, mode);
      await this.#passed.begin(changesOfPassing(head.fields, this.#admission.identityHeaders));
      this.isComplete = true;
      return;
    }
    this.#changes = changesOfAnswer(head.fields, this.#admission.identityHeaders);
    if (plan.kind !== 'bodiless') return this.#beginBody(plan, declaredLength(head.fields));
    this.#body = this.#wholeBody(plan);
    await this.#sendHead();
    this.isComplete = last;
  }

  /** @throws ServiceError `response-not-enforceable` if the body cannot be read, `upgrade-refused` if there is no HTTP after it */
  #planFor(head: AnswerHead, last: boolean): AnswerPlan {
    if (head.status === SWITCHING_PROTOCOLS) throw upgradeRefused();
    const plan = planFor(this.#options.method, head, this.#admission.passesNonJson);
    if (plan.kind === 'refuse' && !plan.unlessEmpty) throw notEnforceable(plan.reason);
    return last ? BODILESS : plan;
  }

  /**
   * Headers that Envoy has sent cannot be replaced by a problem document. So they wait if Envoy would send them.
   *
   * @param length of the body, in bytes, as far as it is known
   */
  async #beginBody(plan: OpenPlan, length: number): Promise<void> {
    const { mode } = this.#options;
    this.#admission.enter();
    if (mode !== 'BUFFERED' && plan.kind === 'enforce' && plan.format !== 'json') {
      this.#admission.becomeStream();
      this.#isStreamed = true;
      this.#body = this.#recordBody(plan.format, plan.coding);
      // A client of events waits for the headers, and there may be no event for long.
      if (plan.format === 'event-stream') await this.#admission.decided().then(() => this.#sendHead());
    } else {
      if (plan.kind === 'refuse' && length > 0) throw notEnforceable(plan.reason);
      this.#admission.hold(length);
      this.#body = this.#wholeBody(plan);
      if (mode === 'BUFFERED') await this.#sendHead();
    }
    this.#expectMore();
  }

  async take(part: Part): Promise<void> {
    if (this.#passed !== undefined) return this.#passed.take(part);
    if (this.isComplete || this.#body === undefined || part.kind === 'headers')
      throw notEnforceable('it has more parts than it can have');
    if (part.kind === 'trailers') return this.#takeTrailers(this.#body, part.fields);
    this.#hasBody = true;
    if (this.#isStreamed) clearTimeout(this.#deadline);
    await this.#body.take(part);
    if (part.last || this.#options.mode === 'BUFFERED') await this.#endBody(this.#body, part.last);
    else if (this.#isStreamed) this.#expectMore();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    this.#body?.close();
  }

  async #takeTrailers(body: AnswerBody, fields: Fields): Promise<void> {
    // Envoy sends trailers without a body, too, and takes no answer to what it has not sent.
    if (!this.#hasBody) await this.#endWithoutBody();
    else if (!this.#isBodySent) await this.#endBody(body, false);
    const remove = fields.map(([name]) => name);
    await this.#options.outlet.send(trailersAnswer('response', { set: [], remove }));
    this.isComplete = true;
  }

  #endWithoutBody(): Promise<void> {
    clearTimeout(this.#deadline);
    return this.#sendHead();
  }

  /** @param last whether no trailers follow */
  async #endBody(body: AnswerBody, last: boolean): Promise<void> {
    clearTimeout(this.#deadline);
    await body.end(last);
    this.#isBodySent = true;
    this.isComplete = last;
  }

  /** @param more fields that the answer gets besides */
  async #sendHead(more: Fields = []): Promise<void> {
    if (this.#isHeadSent) return;
    const { set, remove } = this.#changes;
    this.#isHeadSent = true;
    const answer = headersAnswer('response', { set: [...set, ...more], remove });
    await this.#options.outlet.send(this.#options.mode === 'BUFFERED' ? withTrailers(answer) : answer);
  }

  #wholeBody(plan: AnswerPlan): AnswerBody {
    const { mode, outlet } = this.#options;
    const sendHead = (more: Fields): Promise<void> => this.#sendHead(more);
    return new WholeBody({ plan, admission: this.#admission, mode, outlet, sendHead });
  }

  #recordBody(format: RecordFormat, coding: ContentCoding | undefined): AnswerBody {
    const { outlet, onFailure } = this.#options;
    const sendHead = (more: Fields): Promise<void> => this.#sendHead(more);
    const mask = (chunks: AsyncIterable<Buffer>): AsyncIterable<RecordPiece> =>
      this.#admission.enforceRecords(chunks, format, coding);
    return new RecordBody({ mask, outlet, sendHead, onFailure });
  }

  #expectMore(): void {
    if (this.#isClosed) return;
    const { bodyTimeout, onFailure } = this.#options;
    this.#deadline = setTimeout(() => onFailure(lateBody()), bodyTimeout);
  }
}

/** Another protocol than HTTP cannot be enforced. */
export function upgradeRefused(): ServiceError {
  return new ServiceError(
    'upgrade-refused',
    'On this route, answers are enforced, and other protocols cannot be.',
  );
}

function lateBody(): ServiceError {
  return new ServiceError('upstream-timeout', 'The body of the answer did not arrive in time (bodyTimeout).');
}
