import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../../src/errors.ts';
import type { Pdp } from '../../../src/pdp/port.ts';
import { decisionFrom } from '../../../src/pdp/protocols/resolution/index.ts';
import { freePort } from '../../pdp/transport/setup.ts';
import type { StubAnswer } from '../../pdp/stub.ts';
import { call, enforcing, type Answer, type Call } from '../../support/caller.ts';
import { costly } from '../../support/costly-decision.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { tokenOf } from '../../pdp/protocols/embedded/tokens.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import {
  NO_RULES,
  startEnforcement,
  startService,
  startServiceOn,
  type Service,
} from '../../support/service.ts';
import { PLANTED_HEADERS, PLANTED_PAYLOAD, PLANTED_TEXT, PLANTED_VENDOR } from './planted.ts';

/** Codes of messages that never become a request, or should not have: `message.test.ts` has them. */
export const MESSAGE_ERROR_CODES = ['http-malformed', 'headers-too-large', 'request-timeout'] as const;
/** Codes of the reverse proxy: `tests/places/proxy` has them. */
export const PROXY_ERROR_CODES = [
  'path-ambiguous',
  'variable-missing',
  'route-refused',
  'upgrade-refused',
  'response-not-enforceable',
  'upstream-unreachable',
  'upstream-failed',
  'upstream-timeout',
  'request-loop',
] as const;
type OtherErrorCode = (typeof MESSAGE_ERROR_CODES | typeof PROXY_ERROR_CODES)[number];

/** A way to get an error out of the service. */
export interface Provocation {
  readonly name: string;
  readonly code: Exclude<ErrorCode, OtherErrorCode>;
  /** Keys of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the PDP answers, where it is not a decision without rules. */
  readonly pdp?: StubAnswer;
  /** Starts the service, where it is not one with a stub of a PDP. */
  readonly start?: () => Promise<Service>;
  /** What is sent, where it is not `ENFORCE`. Credentials are in its header, secrets in its body. */
  readonly call?: Call;
}

/** With an identity provider that does not answer. */
const IDENTITY = {
  required: true,
  jwt: { issuer: 'http://127.0.0.1:1', audience: 'bank' },
};

/** A token that would have to be verified. */
const UNSIGNED = tokenOf('{"alg":"ES256","kid":"k"}', JSON.stringify({ sub: PLANTED_TEXT }));

/** A request full of secrets. */
const ENFORCE = enforcing(PLANTED_PAYLOAD, { vendor: PLANTED_VENDOR });

function withParameters(parameters: unknown): Call {
  return { body: enforcing(PLANTED_PAYLOAD, { vendor: PLANTED_VENDOR, parameters }) };
}

/** A payload that a mask string of the request makes larger than the answer may be. */
function withLongMask(): Call {
  const payload = JSON.stringify({ ssn: Array.from({ length: 20_000 }, () => 'x') });
  return {
    body: enforcing(payload, {
      vendor: PLANTED_VENDOR,
      parameters: { maskString: PLANTED_TEXT.padEnd(250, '*') },
    }),
  };
}

function withPayload(payload: string): Call {
  return { body: enforcing(payload, { vendor: PLANTED_VENDOR }) };
}

async function withoutPdp(): Promise<Service> {
  return startService({ pdpUrl: `127.0.0.1:${await freePort()}` });
}

async function draining(): Promise<Service> {
  const service = await startEnforcement();
  service.lifecycle.drain();
  return service;
}

/** One that takes one request at a time, and has one whose decision does not come. */
async function busy(): Promise<Service> {
  const pdp = await startHeldPdp();
  const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}`, maxInFlight: 1 });
  void call(service.port, { body: ENFORCE }).catch(() => undefined);
  await eventually(() => pdp.seen.asked > 0);
  return service;
}

/** A PDP adapter with a fault, whose error quotes what it was given. */
function faulty(): Promise<Service> {
  const pdp: Pdp = {
    decide: () => Promise.reject(new TypeError(`cannot read ${PLANTED_TEXT}`)),
    connection: () => Promise.resolve({ connected: true }),
    close: () => Promise.resolve(),
  };
  return startServiceOn(pdp);
}

/** A PDP whose decision takes more processor time than a small payload may. */
function costlyDecision(): Promise<Service> {
  const rules = Buffer.from(decision({ access: [maskRule('ssn')] }));
  const pdp: Pdp = {
    decide: ({ settings, keys }) => Promise.resolve(costly(decisionFrom(rules, settings, keys), 2000)),
    connection: () => Promise.resolve({ connected: true }),
    close: () => Promise.resolve(),
  };
  return startServiceOn(pdp);
}

/** More than is masked without a pause. */
function withLargePayload(): Call {
  return withPayload(JSON.stringify({ ssn: Array.from({ length: 50_000 }, () => PLANTED_TEXT.slice(0, 9)) }));
}

const NOT_A_DECISION: readonly (readonly [name: string, body: string])[] = [
  ['nothing', ''],
  ['a page', `<html>${PLANTED_TEXT}</html>`],
  ['half of one', `{"response":[{"access":["${PLANTED_TEXT}`],
  ['a text', `"${PLANTED_TEXT}"`],
  ['an object without a response', `{"reason":"${PLANTED_TEXT}"}`],
  ['a response that is no list', `{"response":{"a":"${PLANTED_TEXT}"}}`],
  ['an action without a value', decision({ access: [{ ...maskRule('ssn'), actions: [{}] }] })],
  ['a path that cannot be parsed', decision({ access: [maskRule(`${PLANTED_TEXT}..a`)] })],
  ['a filter in a path', decision({ access: [maskRule(`$[?(@.a=='${PLANTED_TEXT}')]`)] })],
  [
    'an unknown operator',
    decision({ allowed: [maskRule('ssn', { attribute: 'id', operator: PLANTED_TEXT, values: ['1'] })] }),
  ],
  [
    'a condition without an attribute',
    decision({ allowed: [maskRule('ssn', { operator: 'IN', values: [PLANTED_TEXT] })] }),
  ],
  [
    'a condition without values',
    decision({ allowed: [maskRule('ssn', { attribute: PLANTED_TEXT, operator: 'IN' })] }),
  ],
];

/** At least one for each code. */
export const PROVOCATIONS: readonly Provocation[] = [
  { code: 'body-not-json', name: 'half a body', call: { body: ENFORCE.slice(0, -5) } },
  { code: 'body-not-json', name: 'an empty body', call: { body: '' } },
  { code: 'body-not-json', name: 'a byte order mark', call: { body: `\ufeff${ENFORCE}` } },
  {
    code: 'body-not-json',
    name: 'a body that is not UTF-8',
    call: { body: Buffer.from(ENFORCE.replace('{', '{"\u00ff":0,'), 'latin1') },
  },
  {
    code: 'body-not-json',
    name: 'a compressed body that is not whole',
    call: { body: gzipSync(ENFORCE).subarray(0, -4), headers: { 'content-encoding': 'gzip' } },
  },
  {
    code: 'body-not-json',
    name: 'a body that is not compressed as it says',
    call: { body: ENFORCE, headers: { 'content-encoding': 'br' } },
  },
  { code: 'request-invalid', name: 'a payload that is a string', call: withPayload(`"${PLANTED_TEXT}"`) },
  { code: 'request-invalid', name: 'a payload that is a number', call: withPayload('860860860860') },
  { code: 'request-invalid', name: 'a body that is a list', call: { body: PLANTED_PAYLOAD } },
  {
    code: 'request-invalid',
    name: 'parameters of the wrong types',
    call: withParameters({ root: [PLANTED_TEXT], filter: PLANTED_TEXT, calculationType: PLANTED_TEXT }),
  },
  {
    code: 'request-invalid',
    name: 'a path that cannot be parsed',
    call: withParameters({ root: `${PLANTED_TEXT}..a` }),
  },
  {
    code: 'pdp-unauthorized',
    name: '401',
    pdp: {
      status: 401,
      body: PLANTED_TEXT,
      headers: { 'www-authenticate': `Bearer error="${PLANTED_TEXT}"` },
    },
  },
  {
    code: 'pdp-forbidden',
    name: '403 with a reason that quotes secrets in other letters',
    pdp: { status: 403, body: `None of these: ${PLANTED_TEXT.toUpperCase()}` },
  },
  { code: 'pdp-failed', name: '400 with a reason', pdp: { status: 400, body: `Not these: ${PLANTED_TEXT}` } },
  { code: 'pdp-forbidden', name: '403', pdp: { status: 403, body: `None of these: ${PLANTED_TEXT}` } },
  {
    code: 'access-denied',
    name: 'a denial of OPA with a reason',
    config: { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/data/x' },
    pdp: { body: JSON.stringify({ result: { allow: false, reason: PLANTED_TEXT } }) },
  },
  {
    code: 'path-not-found',
    name: 'another path',
    call: { path: `/enforce/${PLANTED_TEXT.replaceAll(' ', '/')}`, body: ENFORCE },
  },
  { code: 'path-not-found', name: 'a path that cannot be decoded', call: { path: '/%ff%zz', body: ENFORCE } },
  {
    code: 'method-not-allowed',
    name: 'another method',
    call: { method: 'PUT', path: `/enforce?${PLANTED_TEXT.replaceAll(' ', '&')}`, body: ENFORCE },
  },
  {
    code: 'body-too-large',
    name: 'a body beyond the limit',
    config: { maxBody: 1 },
    call: withPayload(`["${PLANTED_TEXT.repeat(15_000)}"]`),
  },
  {
    code: 'media-type-unsupported',
    name: 'text',
    call: { body: ENFORCE, headers: { 'content-type': 'text/plain' } },
  },
  {
    code: 'media-type-unsupported',
    name: 'an unknown encoding',
    call: { body: ENFORCE, headers: { 'content-encoding': 'zstd' } },
  },
  { code: 'root-not-found', name: 'a root that is not there', call: withParameters({ root: 'nowhere' }) },
  { code: 'root-not-found', name: 'a root that is a string', call: withParameters({ root: '#.ssn' }) },
  {
    code: 'asset-id-not-found',
    name: 'records without the identifier',
    call: withParameters({ calculationType: 'context', assetId: 'nowhere', protectedObject: 'customer' }),
  },
  {
    code: 'request-invalid',
    name: 'a mask string of more than 256 characters',
    call: withParameters({ maskString: PLANTED_TEXT.padEnd(257, '*') }),
  },
  {
    code: 'answer-too-large',
    name: 'a long mask string over many values',
    config: { maxAnswer: 1 },
    pdp: { body: decision({ access: [maskRule('ssn.#')] }) },
    call: withLongMask(),
  },
  {
    code: 'enforcement-too-costly',
    name: 'a decision that takes long',
    start: costlyDecision,
    call: withLargePayload(),
  },
  { code: 'nesting-too-deep', name: 'a payload that nests deeper than allowed', config: { maxDepth: 3 } },
  { code: 'internal-error', name: 'a fault', start: faulty },
  { code: 'pdp-unreachable', name: 'a PDP that is not there', start: withoutPdp },
  { code: 'pdp-unreachable', name: 'a PDP that hangs up', pdp: { reset: 'before-answer' } },
  { code: 'pdp-failed', name: '500', pdp: { status: 500, body: PLANTED_TEXT } },
  {
    code: 'pdp-failed',
    name: 'a redirect',
    pdp: { status: 307, headers: { location: `/?${PLANTED_TEXT.replaceAll(' ', '&')}` } },
  },
  { code: 'pdp-failed', name: 'half an answer', pdp: { body: PLANTED_TEXT, reset: 'mid-answer' } },
  ...NOT_A_DECISION.map(([name, body]): Provocation => ({
    code: 'decision-not-understood',
    name,
    pdp: { body },
  })),
  {
    code: 'not-ready',
    name: 'a PDP that is not there',
    start: withoutPdp,
    call: { method: 'GET', path: '/health/readiness' },
  },
  {
    code: 'token-refused',
    name: 'a token that cannot be read',
    config: { identity: IDENTITY },
    call: { body: ENFORCE, headers: { authorization: `Bearer ${PLANTED_TEXT.replaceAll(' ', '.')}` } },
  },
  {
    code: 'identity-unavailable',
    name: 'an identity provider that is not there',
    config: { identity: IDENTITY },
    call: { body: ENFORCE, headers: { authorization: `Bearer ${UNSIGNED}` } },
  },
  { code: 'overloaded', name: 'a request too many', start: busy },
  { code: 'draining', name: 'a service that is shutting down', start: draining },
  {
    code: 'draining',
    name: 'a probe while it is',
    start: draining,
    call: { method: 'GET', path: '/health/readiness' },
  },
  {
    code: 'pdp-timeout',
    name: 'a PDP that says nothing',
    config: { pdpTimeout: 50 },
    pdp: { delay: 60_000 },
  },
  { code: 'pdp-timeout', name: 'a PDP whose answer drips', config: { pdpTimeout: 100 }, pdp: { drip: 5 } },
];

/** What came of a provocation, and what was logged of it. */
export type Provoked = Answer & { readonly logged: readonly string[] };

/**
 * Provokes every error once, most of them on one service. Whatever it started is stopped by `closeAll`.
 *
 * @returns what came of each
 */
export async function provokeAll(): Promise<(provocation: Provocation) => Provoked> {
  const shared = await startEnforcement(NO_RULES, { pdpBreaker: { enabled: false } });
  const outcomes = new Map<Provocation, Provoked>();
  for (const provocation of PROVOCATIONS) {
    const { config, pdp = NO_RULES, start, call: sent } = provocation;
    shared.pdp.answer(pdp);
    const isShared = start === undefined && config === undefined;
    const startOwn = start ?? (() => startEnforcement(pdp, config));
    // oxlint-disable-next-line no-await-in-loop -- the PDP of the shared service gives one answer at a time
    outcomes.set(provocation, await provokeOn(isShared ? shared : await startOwn(), sent));
  }
  return (provocation) => {
    const outcome = outcomes.get(provocation);
    if (outcome === undefined) throw new Error(`${provocation.name} was not provoked`);
    return outcome;
  };
}

async function provokeOn(service: Service, sent: Call = { body: ENFORCE }): Promise<Provoked> {
  const before = service.logged.length;
  const { headers, ...rest } = sent;
  const answer = await call(service.port, { ...rest, headers: { ...PLANTED_HEADERS, ...headers } });
  await eventually(() => service.logged.length > before);
  return { ...answer, logged: service.logged.slice(before) };
}
