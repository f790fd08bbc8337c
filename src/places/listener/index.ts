/** Below every place that listens: server, TLS, bodies, header fields, admission, drain. */
export { bodyOf, jsonBody, slotOf, type BodyOptions } from './body.ts';
export { BodyByTurns } from './body-by-turns.ts';
export { isUtf8 } from './charset.ts';
export { decompressors } from './decompressors.ts';
export { drain } from './drain.ts';
export { exchangeOf, openExchange, requestIdFrom } from './exchange.ts';
export { forwardedHeaders, forwardedOf } from './forwarded-headers.ts';
export {
  declaredLength,
  endToEnd,
  FieldNames,
  HiddenFields,
  fieldsOf,
  listedIn,
  namedByConnection,
  rawOf,
  valuesOf,
  withoutFields,
} from './header-fields.ts';
export { InFlight, type AdmissionSlot } from './in-flight.ts';
export { Lifecycle } from './lifecycle.ts';
export { answerProblem, serviceErrorFrom } from './problem-answer.ts';
export { PROBLEM_TYPE, problemFrom, problemType } from './problem.ts';
export { tooSlow } from './read-body.ts';
export { resetConnection } from './reset.ts';
export { lengthOf, sendBody } from './send-body.ts';
export { closeServer, listen, type ListenOptions, type Upgrades } from './server.ts';
export { statusOf } from './status.ts';
export { TlsFilesError, type TlsSettings } from './tls-settings.ts';

/** Serves over TLS. */
export const loadTls = () => import('./tls.ts');
