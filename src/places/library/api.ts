/// <reference types="node" preserve="true" />
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Header fields: a record such as `request.headers` of Node.js, an instance of `Headers`, or a list of pairs. */
export type HeadersLike =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [name: string, value: string]>;

/** One payload, and what the PDP is asked about it. The members mean what they mean in the body of `POST /enforce`. */
export interface EnforceOptions {
  /**
   * The payload: an object or an array, as JSON text, as bytes of JSON in UTF-8, or as a value, which `JSON.stringify` writes. A
   * string is always taken for JSON text.
   */
  readonly json: unknown;
  /** The PDP's own parameters, such as `entityId`. Default: none. */
  readonly vendor?: Readonly<Record<string, unknown>> | undefined;
  /** The settings of this payload, such as `root`. Default: none. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** The headers of the request that the payload answers. Those that may go on to the PDP are forwarded. */
  readonly headers?: HeadersLike | undefined;
  /** If it is aborted, `enforce` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** An enforced payload: JSON in UTF-8. */
export interface MaskedPayload extends Buffer {
  /** The payload as JSON text. */
  text(): string;
  /** The payload as a value, as `JSON.parse` reads it: numbers that do not fit a JavaScript number lose digits. */
  value(): unknown;
}

/** Enforces policies on payloads in this process. */
export interface Enforcer {
  /**
   * Asks the PDP, and masks, sets and removes what it says.
   *
   * @throws EnforcementError if the payload cannot be enforced; the reason of `signal` if that is aborted
   */
  enforce(options: EnforceOptions): Promise<MaskedPayload>;
  /** Finishes what is in progress and closes the connections to the PDP. Calls after this are refused. */
  close(): Promise<void>;
}

/** Takes the log lines of an enforcer: dry runs, audit, warnings. The `console` and winston's loggers fit; pino's take fields first. */
export interface EnforcerLog {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** How an enforcer is created, besides its configuration. */
export interface EnforcerOptions {
  /** Where log lines go. Default: standard error, with the level and the format of the configuration's `log`. */
  readonly log?: EnforcerLog | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A value, or a function that gives it for a request. */
export type ForRequest<Request, T> = T | ((request: Request) => T | Promise<T>);

/** How answers of an application are enforced. */
export interface MaskResponsesOptions<Request = IncomingMessage> {
  /** The PDP's own parameters, such as `entityId`: who sent the request. A function is called when the answer is complete. */
  readonly vendor: ForRequest<Request, JsonObject>;
  /** The settings of the payload, such as `root`. Default: none. */
  readonly parameters?: ForRequest<Request, JsonObject> | undefined;
  /** What is done on which paths, as in the configuration of the reverse proxy. The first route that matches counts. */
  readonly routes?: readonly RouteOptions[] | undefined;
  /** Header fields that a gateway sets after it has authenticated the user, for routes that name them. */
  readonly trustedHeaders?: readonly string[] | undefined;
}

/** A route: it passes answers, refuses requests, or enforces. */
export interface RouteOptions {
  /** `*` matches within a segment, `**` any segments. */
  readonly path: string;
  /** Default: all. */
  readonly methods?: readonly string[] | undefined;
  /** Answers go out as they are. */
  readonly pass?: boolean | undefined;
  /** Requests are answered with 403. */
  readonly refuse?: boolean | undefined;
  /** Added to the `parameters` of the options. */
  readonly parameters?: JsonObject | undefined;
  /** Added to the `vendor` of the options. It may have variables such as `${claims.sub}`. */
  readonly vendor?: JsonObject | undefined;
  /** `pass` lets answers out that are not JSON; by default they are refused. */
  readonly nonJson?: 'refuse' | 'pass' | undefined;
  /** Takes paths that parsers read in different ways, such as those with `%2F`. */
  readonly rawPath?: boolean | undefined;
}

/**
 * Middleware of Express, and of every framework that calls it with the request and response of Node.js. It calls `next` without
 * an error, so that hooks that take only an `Error`, such as those of Fastify, fit.
 */
export type Middleware<Request> = (
  request: Request,
  response: ServerResponse,
  next: (error?: undefined) => void,
) => void;
