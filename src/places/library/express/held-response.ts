import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import lodash from 'lodash';
import { Collected } from '../../../core/index.ts';
import type { ServiceError } from '../../../errors.ts';
import { notEnforceable } from '../../answer/index.ts';

/** What an application answered: the whole body, or why it cannot be held. */
export type HeldAnswer = { readonly body: Buffer } | { readonly problem: ServiceError };

interface HoldOptions {
  /** The longest body that is held, in bytes. */
  readonly limit: number;
  /** Called when the application's status and headers are final. If it returns false, the answer goes out as it is. */
  readonly mustHold: () => boolean;
  /** Called before the head of such an answer is sent. */
  readonly beforePassing: () => void;
  /** Why the body cannot be held, now that it has begun; undefined if it can. */
  readonly problemWithBody: () => ServiceError | undefined;
  /** Called once, when the answer is complete or cannot be held. */
  readonly onAnswer: (answer: HeldAnswer, send: Send) => void;
  /** Called if bytes would leave that do not come through the replaced methods. The connection is cut, and they do not leave. */
  readonly onBypass: () => void;
}

/**
 * Sends a body in place of what was held.
 *
 * @param prepare sets status and headers; nothing of the application runs in between
 */
export type Send = (body: Buffer, prepare: () => void) => void;

type Arguments = readonly unknown[];
type Callback = () => void;
type Method = (...args: Arguments) => unknown;
type SendingMethod = 'writeHead' | 'write' | 'end' | 'flushHeaders';

/** What an application sees of the response until the answer is sent. */
type ShownProperty = 'headersSent' | 'writableEnded' | 'writableNeedDrain';

/** Methods that change headers. Node.js refuses them once headers are sent. */
const HEADER_METHODS = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader'] as const;

/**
 * Holds back everything that an application writes to a response. Every way to answer (`res.json`, `res.send`,
 * `res.sendFile`, a pipe, `res.write`) ends in the methods that are replaced here. To the application the response looks
 * sent: it can neither change headers nor answer again.
 *
 * @returns runs the application
 * @throws ServiceError `response-not-enforceable` if the response is not one of `node:http`, such as that of HTTP/2, which has other ways
 * to send
 */
export function holdResponse(
  response: ServerResponse,
  options: HoldOptions,
): (application: () => void) => void {
  const held = new HeldResponse(response, options);
  held.replaceMethods();
  return (application) => held.runAnswering(application);
}

/** Several hold a response if several middlewares enforce it, one above the other. */
type Holders = readonly HeldResponse[];

/**
 * The responses in whose place an answer is being sent, for middleware above that does so: it may wait for something, such as a store of
 * sessions, and call the methods of the response then. What else calls them is the application, which may still be writing.
 */
const sending = new AsyncLocalStorage<Holders>();

/** The responses that an application is answering. Its later calls are recognized by this, unless they come from code shared by several requests. */
const answering = new AsyncLocalStorage<Holders>();

class HeldResponse {
  readonly #response: ServerResponse;
  readonly #options: HoldOptions;
  /** The methods as they were before; middleware that came first may have replaced them, too. */
  readonly #original: Readonly<Record<SendingMethod, Method>>;
  /** What all methods that send bytes hand them to. */
  readonly #send: Method;
  readonly #body = new Collected();
  readonly #shownBefore = new Map<ShownProperty, PropertyDescriptor>();
  /** How much of the body was held when the application had to wait last. */
  #drained = 0;
  #needsDrain = false;
  /** Listeners for `drain` that middleware above kept from the response. */
  readonly #woken = new Set<Callback>();
  /** What waits for the end of the answer. */
  readonly #ending: Callback[] = [];
  #isReplaced = false;
  /** Whether `writeHead` is called because a body begins, and not by the application. */
  #isImplicit = false;
  /** The status and the reason phrase as they were when the headers became final. */
  #status = 200;
  #reason = '';
  /**
   * `open`: the application may still change headers. `committed`: it may only write. `complete`: the answer is being
   * replaced. `released`: all methods work as before.
   */
  #state: 'open' | 'committed' | 'complete' | 'released' = 'open';

  constructor(response: ServerResponse, options: HoldOptions) {
    this.#response = response;
    this.#options = options;
    this.#original = {
      writeHead: methodOf(response, 'writeHead'),
      write: methodOf(response, 'write'),
      end: methodOf(response, 'end'),
      flushHeaders: methodOf(response, 'flushHeaders'),
    };
    this.#send = methodOf(response, '_send');
    if (typeof this.#send !== 'function')
      throw notEnforceable('only responses of node:http can be held, not those of HTTP/2');
  }

  replaceMethods(): void {
    Object.assign(this.#response, {
      writeHead: (...args: Arguments) => this.#writeHead(args),
      flushHeaders: () => this.#flushHeaders(),
      write: (...args: Arguments) => this.#write(args),
      end: (...args: Arguments) => this.#end(args),
      // They may hold what the body does, and those of a body that is replaced are about the original one.
      addTrailers: () => undefined,
    });
    this.#keepHead();
    for (const method of HEADER_METHODS) this.#lock(method);
    this.#hearDrain();
    this.#closeBypass();
    this.#show('headersSent', () => this.#state !== 'open');
    this.#show('writableNeedDrain', () => this.#needsDrain);
    keepAwaited(lodash.get(this.#response, 'req.socket.server'));
    this.#show('writableEnded', () => this.#shownEnd(this.#own('writableEnded')));
    this.#showFinished();
  }

  /**
   * Whether the answer has ended: for the application once it has ended it, or once it is refused. What is above the application may wait
   * for what is sent, as adapters for AWS Lambda do.
   */
  #shownEnd(isSent: unknown): unknown {
    if (this.#isReleased || !isIn(answering, this)) return isSent;
    return this.#state === 'complete' || this.#state === 'released';
  }

  runAnswering(application: () => void): void {
    answering.run([...(answering.getStore() ?? []), this], application);
  }

  #writeHead(args: Arguments): unknown {
    if (this.#isOpenAgain) return this.#forward('writeHead', args);
    this.#refuseIfCommitted();
    const { status, reason, headers } = headOf(args);
    this.#response.statusCode = status;
    if (reason !== undefined) this.#response.statusMessage = reason;
    setAll(this.#response, headers);
    if (this.#commit() || this.#isImplicit) return this.#response;
    return this.#forward('writeHead', [this.#response.statusCode]);
  }

  /**
   * Does what Node.js does before a body begins, unless the head is final: it calls `writeHead`, which middleware may have replaced to read
   * and change the headers.
   */
  #beginHead(): void {
    if (this.#state !== 'open') return;
    this.#isImplicit = true;
    try {
      this.#response.writeHead(this.#response.statusCode);
    } finally {
      this.#isImplicit = false;
    }
    if (this.#isOpen()) this.#commit();
  }

  #flushHeaders(): void {
    this.#beginHead();
    if (this.#isOpenAgain) this.#forward('flushHeaders', []);
  }

  #write(args: Arguments): unknown {
    checkChunk(args[0]);
    this.#beginHead();
    if (this.#isPassable) return this.#forward('write', args);
    if (this.#state === 'committed') this.#keep(args);
    const done = callbackIn(args);
    // Not sooner: an application that goes on when it is called back would never let anything else run.
    if (done) setImmediate(done);
    return this.#isWritable();
  }

  /**
   * Whether the application may write on. It has to wait after each part of the body, and for good once the body is refused: a source
   * that is always ready would never let anything else run.
   */
  #isWritable(): boolean {
    if (this.#needsDrain || !this.#isCommitted()) return false;
    if (this.#body.length - this.#drained < this.#response.writableHighWaterMark) return true;
    this.#drained = this.#body.length;
    this.#needsDrain = true;
    setImmediate(() => {
      this.#needsDrain = false;
      if (this.#isCommitted()) this.#response.emit('drain');
    });
    return false;
  }

  #end(args: Arguments): unknown {
    // Node.js takes `0` and `false` for no chunk, too.
    const hasChunk = Boolean(args[0]) && typeof args[0] !== 'function';
    if (hasChunk) checkChunk(args[0]);
    this.#beginHead();
    if (this.#isPassable) return this.#forward('end', args);
    const done = callbackIn(args);
    if (done) this.#onFinish(done);
    if (this.#state !== 'committed') return this.#response;
    if (hasChunk) this.#keep(args);
    if (this.#isCommitted()) this.#answer({ body: this.#body.take() });
    return this.#response;
  }

  /** With one listener for all: Node.js would look for each among all others when it removes it. */
  #onFinish(done: Callback): void {
    if (this.#response.writableFinished) process.nextTick(done);
    else if (this.#ending.push(done) === 1) this.#response.once('finish', () => this.#callEnding());
  }

  #callEnding(): void {
    for (const done of this.#ending.splice(0)) done();
  }

  /** Whether methods work as before: not for the application if its answer was replaced, of which it may still be writing the rest. */
  get #isReleased(): boolean {
    return this.#state === 'released' && (!this.#isReplaced || isIn(sending, this));
  }

  /** The same, but only known calls of the application are excluded. Middleware above may send the replacement from code shared by several requests. */
  get #isOpenAgain(): boolean {
    return this.#state === 'released' && (this.#isReleased || !isIn(answering, this));
  }

  /** Whether what is written goes out. After the end, Node.js would take it for a fault, and end the process. */
  get #isPassable(): boolean {
    return this.#isReleased && !(this.#isReplaced && this.#own('writableEnded') === true);
  }

  /** A property as it was before: as Node.js has it, or as middleware above shows it that holds the response, too. */
  #own(name: ShownProperty): unknown {
    const shown = this.#shownBefore.get(name);
    return shown === undefined
      ? Reflect.get(Object.getPrototypeOf(this.#response), name, this.#response)
      : shown.get?.call(this.#response);
  }

  #keep(args: Arguments): void {
    const bytes = bytesOf(args);
    if (bytes.length === 0) return;
    const problem = this.#body.length === 0 ? this.#options.problemWithBody() : undefined;
    this.#body.add(bytes);
    if (problem !== undefined) this.#answer({ problem });
    else if (this.#body.length > this.#options.limit)
      this.#answer({ problem: tooLarge(this.#options.limit) });
  }

  #answer(answer: HeldAnswer): void {
    this.#body.clear();
    this.#state = 'complete';
    this.#options.onAnswer(answer, (replacement, prepare) => {
      this.#isReplaced = true;
      this.#release();
      // The application can still assign to it, for example in an error handler that finds the headers sent.
      this.#response.statusCode = this.#status;
      this.#response.statusMessage = this.#reason;
      sending.run([...(sending.getStore() ?? []), this], () => {
        prepare();
        this.#forward('end', [replacement]);
      });
    });
  }

  /** Whether the answer is held from now on. */
  #commit(): boolean {
    this.#state = 'committed';
    this.#status = this.#response.statusCode;
    this.#reason = this.#response.statusMessage;
    if (this.#options.mustHold()) return true;
    this.#release();
    this.#options.beforePassing();
    return false;
  }

  /** Middleware that has replaced `writeHead` was called for this head already. It is not called again when Node.js sends the head. */
  #release(): void {
    this.#state = 'released';
    this.#forgetWoken();
    Object.assign(this.#response, { writeHead: (...args: Arguments) => this.#writeHead(args) });
  }

  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #isCommitted(): boolean {
    return this.#state === 'committed';
  }

  #refuseIfCommitted(): void {
    if (this.#state === 'open') return;
    const error = new Error('Cannot change headers after they are sent to the client');
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
  }

  #lock(method: (typeof HEADER_METHODS)[number]): void {
    const original = methodOf(this.#response, method);
    Object.assign(this.#response, {
      [method]: (...args: Arguments): unknown => {
        if (!this.#isOpenAgain) this.#refuseIfCommitted();
        return Reflect.apply(original, this.#response, args);
      },
    });
  }

  /** Compression and sessions call this unless the head was sent. Until it is, they may call it again. */
  #keepHead(): void {
    const original = methodOf(this.#response, '_implicitHeader');
    const implicitHeader = (): void => {
      this.#beginHead();
      if (this.#isOpenAgain) Reflect.apply(original, this.#response, []);
    };
    Object.defineProperty(this.#response, '_implicitHeader', { configurable: true, value: implicitHeader });
  }

  /**
   * An application may delete the replaced methods, or call those of the prototype: all of them hand their bytes to `_send`.
   */
  #closeBypass(): void {
    const send = (...args: Arguments): unknown => {
      if (this.#isOpenAgain) return Reflect.apply(this.#send, this.#response, args);
      this.#options.onBypass();
      this.#response.destroy();
      return false;
    };
    Object.defineProperty(this.#response, '_send', { configurable: true, value: send });
  }

  /**
   * Compression above keeps listeners for `drain` until its own stream begins, which is when the answer is sent. Until then,
   * {@link #isWritable} emits it, so they are added to the response as well.
   */
  #hearDrain(): void {
    const original = methodOf(this.#response, 'on');
    Object.assign(this.#response, {
      on: (...args: Arguments): unknown => {
        const [event, waiting] = args;
        if (event !== 'drain' || !isCallback(waiting) || this.#state === 'released')
          return Reflect.apply(original, this.#response, args);
        const before = this.#response.listenerCount('drain');
        // The answer may yet pass.
        if (this.#state === 'open') Reflect.apply(original, this.#response, args);
        if (this.#response.listenerCount('drain') === before) this.#wake(waiting);
        return this.#response;
      },
    });
  }

  #wake(waiting: Callback): void {
    EventEmitter.prototype.on.call(this.#response, 'drain', waiting);
    this.#woken.add(waiting);
  }

  /** Keeps only those that the response itself has. To remove one after another would compare each with all: a loop may add thousands. */
  #forgetWoken(): void {
    if (this.#woken.size === 0) return;
    const all = this.#response.rawListeners('drain').filter(isCallback);
    const kept = all.filter((one) => !this.#woken.has(one));
    this.#woken.clear();
    this.#response.removeAllListeners('drain');
    for (const one of kept) EventEmitter.prototype.on.call(this.#response, 'drain', one);
  }

  #forward(method: SendingMethod, args: Arguments): unknown {
    return Reflect.apply(this.#original[method], this.#response, args);
  }

  /** A property as the application sees it until the answer is sent. */
  #show(name: ShownProperty, held: () => unknown): void {
    const before = Object.getOwnPropertyDescriptor(this.#response, name);
    if (before) this.#shownBefore.set(name, before);
    Object.defineProperty(this.#response, name, {
      configurable: true,
      get: () => (this.#isReleased ? this.#own(name) : held()),
    });
  }

  /**
   * An older name for `writableEnded`, by which some frameworks (Polka) know that a handler has answered, and call no further ones. Node.js
   * keeps it in a field.
   */
  #showFinished(): void {
    const before = Object.getOwnPropertyDescriptor(this.#response, 'finished');
    let own: unknown = before?.value;
    Object.defineProperty(this.#response, 'finished', {
      configurable: true,
      enumerable: true,
      get: () => this.#shownEnd(before?.get ? before.get.call(this.#response) : own),
      set: (value: unknown) => {
        if (before?.set) before.set.call(this.#response, value);
        else own = value;
      },
    });
  }
}

const keeping = new WeakSet<object>();

/**
 * An application may close its server once it has answered. Node.js then destroys the connections whose answers have ended (`finished`), and
 * must not see what is shown to the application: the answer is not sent yet.
 */
function keepAwaited(server: unknown): void {
  if (typeof server !== 'object' || server === null || keeping.has(server)) return;
  keeping.add(server);
  const close = methodOf(server, 'closeIdleConnections');
  if (typeof close !== 'function') return;
  const value = (): unknown => answering.exit(() => Reflect.apply(close, server, []));
  Object.defineProperty(server, 'closeIdleConnections', { configurable: true, writable: true, value });
}

/** A method as it is, possibly one that middleware put there. */
function methodOf(target: object, name: string): Method {
  return Reflect.get(target, name);
}

/** The error for a body that is not held. @param limit in bytes */
export function tooLarge(limit: number): ServiceError {
  return notEnforceable(`it has more than ${limit} bytes (maxBody)`);
}

function isIn(holders: AsyncLocalStorage<Holders>, one: HeldResponse): boolean {
  return holders.getStore()?.includes(one) === true;
}

/** @throws TypeError for a chunk that Node.js does not take either, before it begins to answer */
function checkChunk(chunk: unknown): void {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return;
  if (chunk === null) throw invalidChunk('ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
  throw invalidChunk('ERR_INVALID_ARG_TYPE', 'A chunk has to be a string or a Uint8Array.');
}

/** A chunk that {@link checkChunk} takes. The application may use its memory again. */
function bytesOf([chunk, encoding]: Arguments): Buffer {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk);
  return Buffer.from(String(chunk), isEncoding(encoding) ? encoding : 'utf8');
}

function invalidChunk(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}

function isEncoding(encoding: unknown): encoding is BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding);
}

function callbackIn(args: Arguments): Callback | undefined {
  return args.find(isCallback);
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

interface Head {
  readonly status: number;
  readonly reason: string | undefined;
  readonly headers: unknown;
}

/**
 * The arguments of `writeHead` as Node.js reads them: the reason phrase may be missing, null or undefined.
 *
 * @throws RangeError for a status that is not valid, as Node.js does
 */
function headOf([code, reason, headers]: Arguments): Head {
  const status = Math.trunc(Number(code));
  if (!(status >= 100 && status <= 999)) throw invalidStatus(code);
  return typeof reason === 'string'
    ? { status, reason, headers }
    : { status, reason: undefined, headers: headers ?? reason };
}

function invalidStatus(code: unknown): RangeError {
  const error = new RangeError(`Invalid status code: ${String(code)}`);
  return Object.assign(error, { code: 'ERR_HTTP_INVALID_STATUS_CODE' });
}

/** Sets the headers of `writeHead`: an object, or names and values in turn. Node.js refuses values that cannot be sent. */
function setAll(response: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) setPairs(response, headers);
  else if (typeof headers === 'object' && headers !== null)
    for (const [name, value] of Object.entries(headers)) setField(response, 'setHeader', name, value);
}

/** A value may itself be a list: the values of a repeated field. */
function setPairs(response: ServerResponse, headers: Arguments): void {
  const pairs = headers.every((header) => Array.isArray(header)) ? headers : lodash.chunk(headers, 2);
  for (const [name] of pairs) response.removeHeader(String(name));
  for (const [name, value] of pairs) setField(response, 'appendHeader', name, value);
}

/** Node.js accepts every value that converts to a string, and refuses undefined. */
function setField(response: ServerResponse, method: 'setHeader' | 'appendHeader', ...field: Arguments): void {
  Reflect.apply(methodOf(response, method), response, field);
}
