import { after, TOP, type ExplanationLimits, type JsonDocument } from '../../src/core/index.ts';
import {
  enforce,
  GivenWarnings,
  Plans,
  type Counts,
  EventLoopScheduler,
  type Decider,
  type EnforcementSettings,
  type TimedExplanation,
} from '../../src/enforcement/index.ts';
import { ANY_ROOM } from '../../src/core/json/splicer.ts';
import { createSecretKey } from 'node:crypto';
import type { Compiler } from '../../src/enforcement/plans.ts';
import { readRequest } from '../../src/places/enforce-api/request.ts';
import { ServiceError } from '../../src/errors.ts';
import { statusOf } from '../../src/places/listener/index.ts';
import type { Logger } from '../../src/telemetry/log/leveled.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { KnownRules } from '../../src/pdp/decisions/resolution/known-rules.ts';
import { NO_TRACE } from '../../src/telemetry/traces/off.ts';
import { HASH_KEYS } from '../reference/keys.ts';
import { escapeLineBreaks } from '../reference/line.ts';
import { decisionTextOf, type EnforcementAnswer, type EnforcementProblem } from '../reference/enforce.ts';

/** Shared, as in the service: no decision may be taken for another, and no rule. */
const PLANS = new Plans();
const KNOWN = new KnownRules();
const KEYS = new Map([...HASH_KEYS].map(([name, key]) => [name, { current: createSecretKey(key) }]));

/**
 * Runs the product's own core on a problem, from the body's bytes to the answer's.
 *
 * @param plans those of all problems unless given
 */
export async function coreEnforce(
  problem: EnforcementProblem,
  plans: Compiler = PLANS,
): Promise<EnforcementAnswer> {
  const { explained: _explained, counts: _counts, ...answer } = await coreExplain(problem, undefined, plans);
  return answer;
}

/** The same answer, with the explanation and the counts of the walk if there is a payload. */
export async function coreExplain(
  problem: EnforcementProblem,
  explain: ExplanationLimits | undefined,
  plans: Compiler = PLANS,
): Promise<EnforcementAnswer & { readonly explained?: TimedExplanation; readonly counts?: Counts }> {
  const { parameters, vendor, jsonText } = problem;
  const body = `{"parameters":${JSON.stringify(parameters)},"vendor":${JSON.stringify(vendor)},"json":${jsonText}}`;
  const dryRun: string[] = [];
  const ports = {
    pdp: pdpAnswering(decisionTextOf(problem)),
    settings: settingsOf(problem),
    scheduler: new EventLoopScheduler(),
    plans,
    warnings: new GivenWarnings(),
    keys: KEYS,
    signal: new AbortController().signal,
    log: logInto(dryRun),
    trace: NO_TRACE,
    room: ANY_ROOM,
    explain,
  };
  try {
    const { intent, payload } = readRequest(Buffer.from(body), ports.settings.maxDepth);
    const enforced = await enforce(payload, { ...intent, headers: [] }, ports);
    const { counts, explanation: explained } = enforced;
    const text = Buffer.concat(enforced.payload).toString();
    spoil(payload.doc);
    return { status: 200, text, dryRun, counts, ...(explained && { explained }) };
  } catch (error) {
    if (error instanceof ServiceError) return { status: refusalFrom(statusOf(error.code)) };
    throw error;
  }
}

/** Overwrites what the service frees of a large payload: nothing may read it again, whatever is masked next. */
function spoil(doc: JsonDocument): void {
  doc.tape.fill(-1, TOP, after(doc, TOP));
  doc.bytes.fill('?');
}

function refusalFrom(status: number): 400 | 422 | 502 {
  if (status === 400 || status === 422 || status === 502) return status;
  throw new Error(`an unexpected status ${status}`);
}

function settingsOf({ config }: EnforcementProblem): EnforcementSettings {
  return {
    rootWord: config.rootWord,
    attrName: config.attrName,
    object: config.object,
    assetType: config.assetType ?? 'columns',
    maskString: config.maskString ?? '***',
    maskShort: config.maskShort ?? false,
    filter: config.filter ?? false,
    filterDefault: config.filterDefault ?? 'deny',
    maxDepth: 512,
    audit: false,
  };
}

function pdpAnswering(decisionText: string): Decider {
  const answer = Buffer.from(decisionText);
  return { decide: ({ settings, keys }) => Promise.resolve(decisionFrom(answer, settings, keys, KNOWN)) };
}

/** Keeps the lines of dry runs: all else that enforcement logs is no information about a record. */
function logInto(lines: string[]): Logger {
  const log: Logger = {
    error: () => undefined,
    warn: () => undefined,
    info: (message) => lines.push(escapeLineBreaks(message)),
    debug: () => undefined,
    child: () => log,
    isLevelEnabled: () => true,
  };
  return log;
}
