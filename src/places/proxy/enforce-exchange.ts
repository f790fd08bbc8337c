import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import {
  ask,
  enforceSoon,
  resultField,
  type Decider,
  type Decision,
  type Enforced,
  type HeaderFields,
  type Intent,
  type Ports,
  type Question,
} from '../../enforcement/index.ts';
import {
  asAnswerProblem,
  decoded,
  enforcedFields,
  hasLength,
  notEnforceable,
  passingFields,
  planFor,
  RecordStream,
  type AnswerPlan,
  type ContentCoding,
  type RecordFormat,
} from '../answer/index.ts';
import {
  declaredLength,
  endToEnd,
  FieldNames,
  forwardedOf,
  lengthOf,
  sendBody,
  valuesOf,
  withoutFields,
  type AdmissionSlot,
} from '../listener/index.ts';
import { breakOff, writeHead, writeInTime } from './answer.ts';
import { ChunkQueue } from './chunk-queue.ts';
import type { ProxyExchange } from './exchange.ts';
import { askedFields } from './request-head.ts';
import { passAnswer, sendInterim, upstreamRequest, type Transit } from './transit.ts';
import type { AnswerFlow, AnswerSink, UpstreamHead } from './upstream.ts';
import { WholeBody } from './whole-body.ts';

/** Gets the size of a body so far, in bytes. @throws ServiceError if that is too large */
type BodyCheck = (bytes: number) => void;

/** An answer whose body is enforced as a whole, or is empty. */
interface WholeAnswer {
  readonly head: UpstreamHead;
  readonly body: Buffer;
  readonly coding: ContentCoding | undefined;
  readonly check: BodyCheck;
}

/** An answer that arrives record by record. */
interface StreamAnswer {
  readonly head: UpstreamHead;
  readonly queue: ChunkQueue;
  readonly flow: AnswerFlow;
  readonly format: RecordFormat;
  readonly coding: ContentCoding | undefined;
}

/** The answer, ready to be enforced; undefined if it has passed already. */
type ReadyAnswer = WholeAnswer | StreamAnswer | undefined;

/** Enforces the answer of the application. The PDP is asked while the application works: neither needs anything of the other. */
export async function enforceExchange(transit: Transit): Promise<void> {
  const { head, fields, match, exchange, options } = transit;
  const slot = options.inFlight.enter();
  exchange.slot = slot;
  const claims = match.route.needsClaims ? await options.callers?.claims(fields) : undefined;
  const written = intentOf(transit, claims);
  const ports = portsOf(transit, slot);
  const intent = head.method === 'HEAD' ? written : ask(written, ports);
  const answer = await received(transit, slot);

  if (answer === undefined) return;
  if ('queue' in answer) await sendStream(transit, answer, intent, ports);
  else await sendWhole(transit, answer, intent, ports);
}

/** @throws ServiceError `token-refused` or `variable-missing` */
function intentOf(transit: Transit, claims: Intent['claims']): Intent {
  const { request, head, fields, match, exchange, options } = transit;
  const asked = match.intent({ method: head.method, headers: fields, claims });
  const forPdp = forwardedOf(askedFields(request, fields, options));
  const carried = exchange.trace.carry(withRequestId(forPdp, exchange.requestId));
  return { ...asked, headers: carried, claims };
}

function withRequestId(headers: HeaderFields[number][], requestId: string): HeaderFields {
  if (valuesOf(headers, 'x-request-id').length === 0) headers.push(['X-Request-Id', requestId]);
  return headers;
}

function portsOf({ exchange, options }: Transit, slot: AdmissionSlot): Ports {
  const { settings, keys, scheduler, plans, warnings } = options;
  return {
    pdp: timedPdp(options.pdp, exchange),
    settings,
    keys,
    scheduler,
    plans,
    warnings,
    log: exchange.log,
    trace: exchange,
    signal: exchange.signal,
    room: { limit: options.maxAnswer, reserve: (bytes) => slot.hold(bytes) },
  };
}

/** Counts the time until a decision is there. */
function timedPdp(pdp: Decider, { times }: ProxyExchange): Decider {
  const decideSoon = (question: Question): Decision | Promise<Decision> => {
    const start = performance.now();
    const count = (): void => void (times.pdp += performance.now() - start);
    const decision = pdp.decideSoon?.(question) ?? pdp.decide(question);
    // To wait for it in `finally` would take three promises more.
    if (decision instanceof Promise) decision.then(count, count);
    else count();
    return decision;
  };
  return { decide: async (question) => decideSoon(question), decideSoon };
}

/** Counts the time until the answer is there. */
async function received(transit: Transit, slot: AdmissionSlot): Promise<ReadyAnswer> {
  const start = performance.now();
  try {
    return await receive(transit, slot);
  } finally {
    transit.exchange.times.upstream = performance.now() - start;
  }
}

/** Sends the request on, and takes the answer as far as it has to be read before anything of it is sent. */
function receive(transit: Transit, slot: AdmissionSlot): Promise<ReadyAnswer> {
  return new Promise((resolve, reject) => {
    const taker = { transit, slot, resolve, reject };
    transit.options.upstream.send(upstreamRequest(transit, true), {
      inform: (head) => sendInterim(transit, { ...head, fields: linksIn(head) }),
      begin: (head, flow) => take(head, flow, taker),
      fail: reject,
    });
  });
}

/** Who waits for an answer. */
interface Taker {
  readonly transit: Transit;
  readonly slot: AdmissionSlot;
  readonly resolve: (answer: ReadyAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Chooses who takes the body of an answer that begins. */
function take(head: UpstreamHead, flow: AnswerFlow, { transit, slot, resolve, reject }: Taker): AnswerSink {
  const { head: request, match, options } = transit;
  const plan = planFor(request.method, head, match.route.passesNonJson);
  if (plan.kind === 'enforce' && plan.format !== 'json') {
    slot.becomeStream();
    const queue = new ChunkQueue(flow);
    flow.unbound();
    resolve({ head, queue, flow, format: plan.format, coding: plan.coding });
    return queue;
  }
  if (plan.kind === 'pass') {
    const fields = passingFields(endToEnd(head.fields), match.route.identityHeaders);
    const passed = (error?: Error): void => (error === undefined ? resolve(undefined) : reject(error));
    return withoutTrailers(passAnswer(transit, { ...head, fields }, flow, passed));
  }
  if (plan.kind === 'refuse' && !plan.unlessEmpty) throw notEnforceable(plan.reason);
  const coding = plan.kind === 'enforce' ? plan.coding : undefined;
  const check = checkOf(plan.kind === 'enforce' ? options.maxBody : 0, slot);
  const done = (result: Buffer | Error): void =>
    Buffer.isBuffer(result) ? resolve({ head, body: result, coding, check }) : reject(reasonOf(plan, result));
  if (plan.kind === 'bodiless') {
    done(Buffer.alloc(0));
    return discarding(flow);
  }
  return new WholeBody(flow, expectedOf(head, options.maxBody), check, done);
}

/** On an enforced route, the trailers of a body that passes are dropped, too, as its validators are. */
function withoutTrailers(sink: AnswerSink): AnswerSink {
  return { data: (chunk) => sink.data(chunk), end: () => sink.end([]), fail: (error) => sink.fail(error) };
}

/** How long the body says it is; 0 if it does not say, or if it is too large in any case. */
function expectedOf({ fields }: UpstreamHead, limit: number): number {
  const length = declaredLength(fields);
  return length <= limit ? length : 0;
}

function checkOf(limit: number, slot: AdmissionSlot): BodyCheck {
  return (bytes) => {
    if (bytes > limit) throw notEnforceable(`it has more than ${limit} bytes (proxy.maxBody)`);
    slot.hold(bytes);
  };
}

/** A body that cannot be read is refused for that, and not for its size. */
function reasonOf(plan: AnswerPlan, error: Error): Error {
  return plan.kind === 'refuse' ? notEnforceable(plan.reason) : error;
}

/** Closes the connection to the application if there is a body after all. */
function discarding(flow: AnswerFlow): AnswerSink {
  return { data: () => flow.abort(), end: () => undefined, fail: () => undefined };
}

/** An interim answer has nothing else that a client needs. */
function linksIn({ fields }: UpstreamHead): HeaderFields {
  return fields.filter(([name]) => name.toLowerCase() === 'link');
}

function answerFields({ match }: Transit, { fields }: UpstreamHead): HeaderFields {
  return enforcedFields(endToEnd(fields), match.route.identityHeaders);
}

async function sendWhole(transit: Transit, answer: WholeAnswer, intent: Intent, ports: Ports): Promise<void> {
  const { response, exchange } = transit;
  const { head, body, coding, check } = answer;
  const fields = answerFields(transit, head);
  // What is compressed may be nothing.
  const json = coding === undefined || body.length === 0 ? body : await decoded(body, coding, check);
  if (json.length === 0) return sendEmpty(transit, head, fields);
  exchange.payloadBytes = json.length;
  const { payload, counts } = await enforced(json, intent, ports);
  exchange.counts = counts;
  exchange.treatment = 'enforced';
  const length = lengthOf(payload);
  exchange.responseBytes = length;
  writeHead(response, head, [...withResult(transit, fields), ['Content-Length', String(length)]]);
  sendBody(response, payload, length);
}

/** The fields with what was changed, if that is configured, in the place of what the application says of it. */
function withResult({ exchange, options }: Transit, fields: HeaderFields): HeaderFields {
  const { counts } = exchange;
  if (!options.report || counts === undefined) return fields;
  const field = resultField(counts);
  return [...withoutFields(fields, new FieldNames([field[0].toLowerCase()])), field];
}

function enforced(json: Buffer, intent: Intent, ports: Ports): Enforced | Promise<Enforced> {
  try {
    const result = enforceSoon(json, intent, ports);
    return result instanceof Promise ? result.catch(refused) : result;
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): never {
  throw asAnswerProblem(error);
}

function sendEmpty({ response, head: { method } }: Transit, head: UpstreamHead, fields: HeaderFields): void {
  const length = hasLength(method, head.status) ? [['Content-Length', '0'] as const] : [];
  writeHead(response, head, [...fields, ...length]);
  response.end();
}

async function sendStream(
  transit: Transit,
  { head, queue, flow, format, coding }: StreamAnswer,
  intent: Intent,
  ports: Ports,
): Promise<void> {
  const { response, match, exchange, options } = transit;
  const { passesNonJson } = match.route;
  const limit = { bytes: options.maxBody, key: 'proxy.maxBody' };
  const { clockTolerance } = options.callers ?? {};
  const asked = { intent, clockTolerance, ports };
  const stream = new RecordStream({ ...asked, format, coding, limit, passesNonJson });
  const fields = answerFields(transit, head);
  exchange.treatment = 'streamed';
  try {
    // A client of events waits for the head, and there may be no event for long.
    if (format === 'event-stream') await beginEvents(response, head, fields, intent);
    for await (const piece of stream.pieces(queue)) {
      if (!response.headersSent) writeHead(response, head, fields);
      exchange.responseBytes += piece.length;
      if (!(await writeInTime(response, piece.copy(), options.answerTimeout))) return breakOff(response);
    }
    if (!response.headersSent) writeHead(response, head, fields);
    response.end();
  } finally {
    exchange.counts = stream.counts;
    exchange.payloadBytes = stream.received;
    flow.abort();
  }
}

/** Sends the head once the PDP has decided, so that a refusal still has its status. */
async function beginEvents(
  response: ServerResponse,
  head: UpstreamHead,
  fields: HeaderFields,
  { decision }: Intent,
): Promise<void> {
  await decision;
  writeHead(response, head, fields);
  response.flushHeaders();
}
