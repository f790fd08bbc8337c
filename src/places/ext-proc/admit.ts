import { ask, type EnforcementPorts, type Intent } from '../../enforcement/index.ts';
import { isOddlySpelt } from '../../dashed.ts';
import { ServiceError } from '../../errors.ts';
import type { Callers } from '../../identity/index.ts';
import type { Tracing } from '../../telemetry/traces/index.ts';
import { hiddenFields, notEnforceable } from '../answer/index.ts';
import { forwardedHeaders, type InFlight } from '../listener/index.ts';
import type { RouteMatch, Routes } from '../routes/index.ts';
import type { Admission, EnforcingAdmission, RequestHead } from './admission.ts';
import { AnswerEnforcement } from './answer-enforcement.ts';
import { claimsOf } from './claims.ts';
import { knownMethod } from './known-method.ts';
import type { ExchangeNote } from './note.ts';

/** What decides about requests, and enforces their answers. */
export interface AdmissionPorts extends EnforcementPorts {
  readonly routes: Routes;
  /** Undefined if the service verifies no tokens. */
  readonly callers: Callers | undefined;
  readonly inFlight: InFlight;
  /** The longest body and the longest answer, in bytes. */
  readonly maxBody: number;
  readonly maxAnswer: number;
  /** Whether answers say how much was changed. */
  readonly report: boolean;
  readonly tracing: Tracing;
}

/**
 * Decides about a request by its route (docs/proxy.md#routes), and asks the PDP while upstream is working.
 *
 * @throws ServiceError if the request is refused
 */
export async function admit(
  head: RequestHead,
  note: ExchangeNote,
  signal: AbortSignal,
  ports: AdmissionPorts,
): Promise<Admission> {
  note.begin(head);
  const match = ports.routes.find(head.method, head.path, head.fields);
  note.route = match.route.name;
  if (match.route.treatment === 'refuse')
    throw new ServiceError('route-refused', 'This service is configured to refuse the request.');
  const removedFields = untrustedIn(head, ports);
  if (match.route.treatment === 'pass') return { treatment: 'pass', removedFields };
  // Upstream should not work for an answer that will be refused.
  ports.inFlight.enter().leave();
  const intent = await intentOf(head, match, note, ports);
  const asked = ask(intent, { ...ports, signal });
  const hidden = hiddenIn(head, match);
  return {
    ...enforcing(match, asked, note, { ...ports, signal }),
    removedFields: [...hidden, ...removedFields],
  };
}

async function intentOf(
  head: RequestHead,
  match: RouteMatch,
  note: ExchangeNote,
  { routes, callers, tracing }: AdmissionPorts,
): Promise<Intent> {
  const { method } = head;
  const fields = head.fields.filter(([name]) => !routes.untrustedHeaders.has(name));
  const claims = match.route.needsClaims ? await claimsOf(head, callers) : undefined;
  const forwarded = note.identify(forwardedHeaders(fields.flat()));
  note.trace = tracing.begin({ method: knownMethod(method), route: match.route.name, headers: forwarded });
  return {
    ...match.intent({ method, headers: fields, claims }),
    headers: note.trace.carry(forwarded),
    claims,
  };
}

function enforcing(
  { route }: RouteMatch,
  intent: Intent,
  note: ExchangeNote,
  ports: AdmissionPorts & { readonly signal: AbortSignal },
): Omit<EnforcingAdmission, 'removedFields'> {
  const { maxBody, inFlight } = ports;
  const { passesNonJson, identityHeaders } = route;
  const enforcement = new AnswerEnforcement({ passesNonJson, intent, note, ports });
  return {
    treatment: 'enforce',
    passesNonJson,
    identityHeaders,
    enter() {
      note.slot = inFlight.enter();
    },
    becomeStream: () => note.slot?.becomeStream(),
    hold(bytes) {
      if (bytes > maxBody) throw notEnforceable(`it has more than ${maxBody} bytes (maxBody)`);
      note.slot?.hold(bytes);
    },
    decided: async () => void (await intent.decision),
    enforce: (body, format) => enforcement.whole(body, format),
    enforceRecords: (chunks, format, coding) => enforcement.records(chunks, { format, coding }),
  };
}

/** What the application must not see of a request whose answer has to be read, as it is spelt. */
function hiddenIn({ fields }: RequestHead, { methods }: RouteMatch): readonly string[] {
  const hidden = hiddenFields(methods);
  const spelt = fields.map(([name]) => name).filter((name) => isOddlySpelt(name) && hidden.has(name));
  return [...hidden.names, ...spelt];
}

/** What Envoy leaves in a request, whatever the service asks for (`HeaderMutationRules`). */
const NOT_REMOVABLE = /^(?:x-envoy|host$)/u;

/** The fields of a request that clients may not set. @throws ServiceError `request-invalid` if Envoy would not remove one */
function untrustedIn({ fields }: RequestHead, { routes }: AdmissionPorts): readonly string[] {
  const names = fields.map(([name]) => name).filter((name) => routes.untrustedHeaders.has(name));
  const kept = names.find((name) => NOT_REMOVABLE.test(name));
  if (kept !== undefined)
    throw new ServiceError(
      'request-invalid',
      `The header field ${kept} is not one of trustedHeaders, and Envoy would not remove it.`,
    );
  return names;
}
