import type { IncomingHttpHeaders } from 'node:http';
import {
  AxiosError,
  CanceledError,
  type AxiosAdapter,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
  type RawAxiosResponseHeaders,
} from 'axios';
import { errors, type Dispatcher } from 'undici';
import { Collected } from '../../core/index.ts';

type Controller = Dispatcher.DispatchController;

type CodedError = Error & { readonly code?: string };

/** How the codes of node's HTTP parser begin. */
export const PARSER = 'HPE_';
/** The codes of undici, as those of `node:net` and of node's HTTP parser. */
const CODES: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_HEADERS_OVERFLOW: `${PARSER}HEADER_OVERFLOW`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: `${PARSER}UNEXPECTED_CONTENT_LENGTH`,
};

/** What is read of the header of an answer. Other fields could take the names of methods in the header object of axios. */
const ANSWER_FIELDS = ['content-encoding', 'www-authenticate'];

/** The first status that is no provisional one, which others follow. */
const FIRST_FINAL = 200;

/**
 * An adapter for axios that sends by undici, node's own HTTP client: axios' own takes several times as long for a short
 * exchange, which is most of what a small payload costs (`docs/decisions`). It follows no redirects, uses no proxy, does not
 * decode bodies, and is bound by `maxContentLength` and `signal`; `url` is a path at `baseURL`.
 *
 * It rejects as axios does: with `ERR_BAD_RESPONSE` if the answer is larger than allowed, or (then with a response) ends
 * early; else with the code of the error.
 *
 * @param dispatcher the connections to use for a request
 * @param fields the header of the request, names and values in turn. It does not pass through axios, whose header object drops
 *   or respells fields named like properties of every object, such as `constructor`.
 */
export function undiciTransport(dispatcher: () => Dispatcher, fields: string[]): AxiosAdapter {
  return (config) =>
    new Promise((resolve, reject) => {
      const { baseURL = '', url = '', signal } = config;
      const reception = new Reception(config, resolve, reject);
      if (signal?.aborted) return reception.cancel();
      signal?.addEventListener?.('abort', reception.cancel);
      const body: Buffer = config.data;
      dispatcher().dispatch({ origin: baseURL, path: url, method: 'POST', headers: fields, body }, reception);
    });
}

/** Takes in one answer. */
class Reception implements Dispatcher.DispatchHandler {
  readonly #config: InternalAxiosRequestConfig;
  readonly #resolve: (response: AxiosResponse<Buffer>) => void;
  readonly #reject: (error: AxiosError) => void;
  readonly #body = new Collected();
  #controller: Controller | undefined;
  #response: AxiosResponse<Buffer> | undefined;
  #isOver = false;

  constructor(
    config: InternalAxiosRequestConfig,
    resolve: (response: AxiosResponse<Buffer>) => void,
    reject: (error: AxiosError) => void,
  ) {
    this.#config = config;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Gives the request up, at whatever point it is. */
  readonly cancel = (): void => {
    this.#fail(new CanceledError(undefined, this.#config));
  };

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new CanceledError());
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (status < FIRST_FINAL) return;
    this.#response = {
      status,
      statusText: '',
      headers: answerFields(headers),
      config: this.#config,
      data: Buffer.alloc(0),
    };
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const size = this.#body.length + chunk.length;
    if (size > (this.#config.maxContentLength ?? Infinity)) this.#fail(this.#badResponse('too large'));
    else this.#body.add(chunk);
  }

  onResponseEnd(): void {
    if (this.#response === undefined) return this.#fail(this.#badResponse('no final status'));
    this.#end();
    const response = this.#response;
    response.data = this.#body.take();
    afterReuse(() => this.#resolve(response));
  }

  onResponseError(_controller: Controller, error: CodedError): void {
    const code = codeOf(error);
    const isBroken = this.#response !== undefined && !code.startsWith(PARSER);
    if (isBroken) this.#fail(this.#badResponse('ended early', this.#response));
    else this.#fail(new AxiosError(error.message, code, this.#config));
  }

  #badResponse(message: string, response?: AxiosResponse): AxiosError {
    return new AxiosError(message, AxiosError.ERR_BAD_RESPONSE, this.#config, undefined, response);
  }

  #fail(error: AxiosError): void {
    if (this.#isOver) return;
    this.#end();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #end(): void {
    this.#isOver = true;
    this.#config.signal?.removeEventListener?.('abort', this.cancel);
  }
}

function answerFields(headers: IncomingHttpHeaders): RawAxiosResponseHeaders {
  const fields: RawAxiosResponseHeaders = {};
  for (const name of ANSWER_FIELDS) {
    const value = headers[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/**
 * Undici can reuse a connection one turn of the event loop later: a caller that asks earlier would get a new
 * connection.
 */
function afterReuse(act: () => void): void {
  process.nextTick(() => setImmediate(act));
}

function codeOf(error: CodedError): string {
  if (error instanceof errors.HTTPParserError) return error.code ?? `${PARSER}INVALID`;
  return CODES[error.code ?? ''] ?? error.code ?? error.name;
}
