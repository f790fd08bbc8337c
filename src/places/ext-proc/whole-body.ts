import { bufferOf, Collected } from '../../core/index.ts';
import { decoded, notEnforceable, slicesOf, type AnswerPlan } from '../answer/index.ts';
import { lengthOf } from '../listener/index.ts';
import type { EnforcingAdmission, MaskedBody } from './admission.ts';
import type { AnswerBody } from './answer-body.ts';
import type { BodyMode, BodyPart, Fields } from './protocol/request.ts';
import { bodyPiece, replacedBody } from './protocol/response.ts';
import type { Outlet } from './stream.ts';

/** The longest piece of a body that is sent in mode FULL_DUPLEX_STREAMED, as Envoy recommends. Bytes. */
const PIECE = 64 * 1024;

const NOTHING: MaskedBody = { chunks: [], fields: [] };

interface WholeBodyOptions {
  readonly plan: AnswerPlan;
  readonly admission: EnforcingAdmission;
  readonly mode: BodyMode;
  readonly outlet: Outlet;
  /** Sends the headers of the answer, unless they are sent. @param more fields that the answer gets besides */
  readonly sendHead: (more: Fields) => Promise<void>;
}

/** A body of which nothing goes on before all of it is masked. */
export class WholeBody implements AnswerBody {
  readonly #options: WholeBodyOptions;
  readonly #body = new Collected();

  constructor(options: WholeBodyOptions) {
    this.#options = options;
  }

  take({ body }: BodyPart): Promise<void> {
    if (body.length > 0) this.#requireReadable();
    this.#options.admission.hold(this.#body.length + body.length);
    this.#body.add(bufferOf(body));
    return Promise.resolve();
  }

  async end(last: boolean): Promise<void> {
    const masked = await this.#masked();
    if (this.#options.mode === 'BUFFERED') await this.#replace(masked);
    else await this.#sendPieces(masked, last);
  }

  close(): void {
    this.#body.clear();
  }

  /** @throws ServiceError `response-not-enforceable` if no body was expected, or none that can be read */
  #requireReadable(): Extract<AnswerPlan, { readonly kind: 'enforce' }> {
    const { plan } = this.#options;
    if (plan.kind === 'enforce') return plan;
    throw notEnforceable(plan.kind === 'refuse' ? plan.reason : 'it has a body that it cannot have');
  }

  async #masked(): Promise<MaskedBody> {
    const { admission } = this.#options;
    const body = this.#body.take();
    if (body.length === 0) return NOTHING;
    const plan = this.#requireReadable();
    const json = await decoded(body, plan.coding, (bytes) => admission.hold(bytes));
    // What is compressed may be nothing.
    if (json.length === 0) return NOTHING;
    return admission.enforce(json, plan.format);
  }

  async #replace({ chunks, fields }: MaskedBody): Promise<void> {
    const length = ['content-length', String(lengthOf(chunks))] as const;
    await this.#options.outlet.send(replacedBody(chunks, { set: [length, ...fields], remove: [] }));
  }

  async #sendPieces({ chunks, fields }: MaskedBody, last: boolean): Promise<void> {
    const { outlet, sendHead } = this.#options;
    await sendHead(fields);
    const pieces = chunks.flatMap((chunk) => [...slicesOf(chunk, PIECE)]);
    for (const piece of pieces.slice(0, -1)) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      await outlet.send(bodyPiece('response', [piece], false));
    }
    await outlet.send(bodyPiece('response', pieces.slice(-1), last));
  }
}
