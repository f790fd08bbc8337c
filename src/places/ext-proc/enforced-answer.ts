import lodash from 'lodash';
import { ServiceError } from '../../errors.ts';
import {
  changesOfAnswer,
  decoded,
  notEnforceable,
  planFor,
  type AnswerHead,
  type AnswerPlan,
  type FieldChanges,
} from '../answer/index.ts';
import { valuesOf } from '../listener/index.ts';
import type { EnforcingAdmission, MaskedBody } from './admission.ts';
import type { Answer } from './http-exchange.ts';
import { PassedAnswer } from './passed-answer.ts';
import type { BodyMode, Fields, Part } from './protocol/request.ts';
import { bodyPiece, headersAnswer, replacedBody, trailersAnswer } from './protocol/response.ts';
import type { Outlet } from './stream.ts';

interface EnforcedAnswerOptions {
  /** Of the request. */
  readonly method: string;
  readonly outlet: Outlet;
  readonly mode: BodyMode;
  readonly bodyTimeout: number;
  /** Is told if the body does not arrive in time. */
  readonly onLate: (error: ServiceError) => void;
}

/** The longest piece of a body that is sent in mode FULL_DUPLEX_STREAMED, as Envoy recommends. Bytes. */
const PIECE = 64 * 1024;

const BODILESS: AnswerPlan = { kind: 'bodiless' };
const SWITCHING_PROTOCOLS = 101;

/** An answer that is enforced: nothing of its body goes on before all of it is masked. */
export class EnforcedAnswer implements Answer {
  readonly #admission: EnforcingAdmission;
  readonly #options: EnforcedAnswerOptions;
  readonly #body: Uint8Array[] = [];
  #bytes = 0;
  #plan: AnswerPlan = BODILESS;
  #changes: FieldChanges = { set: [], remove: [] };
  #passed: PassedAnswer | undefined;
  #late: NodeJS.Timeout | undefined;
  #hasSentHeaders = false;
  #isFinished = false;
  isComplete = false;

  constructor(admission: EnforcingAdmission, options: EnforcedAnswerOptions) {
    this.#admission = admission;
    this.#options = options;
  }

  /** Whether it is not JSON, and goes on as it is. */
  get isPassed(): boolean {
    return this.#passed !== undefined;
  }

  /** @param last whether the answer has no body and no trailers */
  async begin(head: AnswerHead, last: boolean): Promise<void> {
    const { outlet, mode, bodyTimeout, onLate } = this.#options;
    this.#plan = this.#planFor(head, last);
    if (this.#plan.kind === 'pass') {
      this.#passed = new PassedAnswer(outlet, mode);
      await this.#passed.begin();
      this.isComplete = true;
      return;
    }
    this.#changes = changesOfAnswer(head.fields, this.#admission.identityHeaders);
    if (this.#plan.kind === 'bodiless') {
      await this.#sendHeaders();
      this.isComplete = last;
      return;
    }
    this.#admission.enter();
    this.#admission.hold(Number(valuesOf(head.fields, 'content-length')[0] ?? 0));
    this.#late = setTimeout(() => onLate(lateBody()), bodyTimeout);
    // In mode FULL_DUPLEX_STREAMED, headers that are sent cannot be replaced by a problem document.
    if (mode === 'BUFFERED') await this.#sendHeaders();
  }

  /** @throws ServiceError `response-not-enforceable` if the body cannot be read, `upgrade-refused` if there is no HTTP after it */
  #planFor(head: AnswerHead, last: boolean): AnswerPlan {
    if (head.status === SWITCHING_PROTOCOLS) throw upgradeRefused();
    const plan = planFor(this.#options.method, head, this.#admission.passesNonJson);
    if (plan.kind === 'refuse' && !(last && plan.unlessEmpty)) throw notEnforceable(plan.reason);
    return last ? BODILESS : plan;
  }

  async take(part: Part): Promise<void> {
    if (this.#passed !== undefined) return this.#passed.take(part);
    if (this.isComplete || part.kind === 'headers')
      throw notEnforceable('it has more parts than it can have');
    if (part.kind === 'trailers') return this.#takeTrailers(part.fields);
    this.#bytes += part.body.length;
    this.#admission.hold(this.#bytes);
    this.#body.push(part.body);
    if (part.last || this.#options.mode === 'BUFFERED') await this.#finish(part.last);
  }

  close(): void {
    clearTimeout(this.#late);
    this.#body.length = 0;
  }

  async #takeTrailers(fields: Fields): Promise<void> {
    if (!this.#isFinished) await this.#finish(false);
    const remove = fields.map(([name]) => name);
    await this.#options.outlet.send(trailersAnswer('response', { set: [], remove }));
    this.isComplete = true;
  }

  /** @param last whether no trailers follow */
  async #finish(last: boolean): Promise<void> {
    clearTimeout(this.#late);
    const masked = await this.#masked();
    this.#isFinished = true;
    if (this.#options.mode === 'BUFFERED') await this.#replaceBody(masked);
    else await this.#sendPieces(masked, last);
    this.isComplete = last;
  }

  async #masked(): Promise<MaskedBody> {
    const body = Buffer.concat(this.#body);
    this.#body.length = 0;
    if (body.length === 0) return { chunks: [], fields: [] };
    if (this.#plan.kind !== 'enforce') throw notEnforceable('it has a body that it cannot have');
    const check = (bytes: number): void => this.#admission.hold(bytes);
    return this.#admission.enforce(await decoded(body, this.#plan.coding, check));
  }

  /** @param fields what the answer gets besides */
  async #sendHeaders(fields: Fields = []): Promise<void> {
    const { set, remove } = this.#changes;
    this.#hasSentHeaders = true;
    await this.#options.outlet.send(headersAnswer('response', { set: [...set, ...fields], remove }));
  }

  async #replaceBody({ chunks, fields }: MaskedBody): Promise<void> {
    const length = ['content-length', String(lodash.sumBy(chunks, 'length'))] as const;
    await this.#options.outlet.send(replacedBody(chunks, { set: [length, ...fields], remove: [] }));
  }

  async #sendPieces({ chunks, fields }: MaskedBody, last: boolean): Promise<void> {
    if (!this.#hasSentHeaders) await this.#sendHeaders(fields);
    const pieces = chunks.flatMap(piecesOf);
    for (const piece of pieces.slice(0, -1)) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      await this.#options.outlet.send(bodyPiece('response', piece, false));
    }
    await this.#options.outlet.send(bodyPiece('response', pieces.at(-1) ?? Buffer.alloc(0), last));
  }
}

function piecesOf(chunk: Buffer): readonly Buffer[] {
  const count = Math.ceil(chunk.length / PIECE);
  return Array.from({ length: count }, (_, index) => chunk.subarray(index * PIECE, (index + 1) * PIECE));
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
