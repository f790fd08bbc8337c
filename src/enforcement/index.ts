/** Enforcement: applies to a payload what the PDP decides about an intent. `enforce` says how a place uses it. */
export type { Enforced, TimedExplanation } from './apply.ts';
export { now } from './clock.ts';
export { ask, enforce, enforceSoon } from './enforce.ts';
export { EventLoopScheduler, Rest } from './event-loop-scheduler.ts';
export { intentFrom, invalidRequest, readIntent, type Intent } from './intent.ts';
export { namesUser } from './names-user.ts';
export { expectationOf } from './expectation.ts';
export { isMisspelt, parametersSchema, unknownDetail, type CalculationType } from './parameters.ts';
export { payloadProblem, type Payload } from './payload.ts';
export { Plans } from './plans.ts';
export { type EnforcementPorts, type Ports, type TracedPart } from './ports.ts';
export type { Assets, Decider, Decision, HeaderFields, PdpConnection, Question } from './question.ts';
export type { Counts } from './report.ts';
export { RESULT_FIELD, resultField } from './result-field.ts';
export { reserveFor } from './reserve.ts';
export {
  areReadAlike,
  DEEPEST,
  DEEPEST_ANSWER,
  type DecisionSettings,
  type EnforcementSettings,
} from './settings.ts';
export { Roster } from './roster.ts';
export { Series } from './series.ts';
export { GivenWarnings, warningOnce } from './warning-once.ts';
export { WorkTime } from './work-time.ts';
