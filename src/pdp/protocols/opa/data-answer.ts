import _ from 'lodash';
import type { JsonValue, Rules } from '../../../core/index.ts';
import type { Question } from '../../../enforcement/index.ts';
import { nearest } from '../../../nearest.ts';
import type { Message } from '../../port.ts';
import {
  answerObject,
  AROUND_SECTIONS,
  bareDecision,
  type BareDecision,
  denied,
  deniedBecause,
  type JsonObject,
  type JsonPointer,
  mustHaveOnly,
  notUnderstood,
  objectIn,
  readDecisionValue,
  readingOf,
  readRules,
  refuseDenials,
  refuseDenialsIn,
  refuseLost,
  refusePartsIn,
  refuseRulesIn,
  rulesOf,
  saysSomething,
} from '../../decisions/index.ts';

/** What the configuration says about reading a result. */
export interface ResultSettings {
  readonly bareDecision: BareDecision;
}

const RESULT = 'result';
/** What may be next to the rules of a result. */
const KNOWN = ['rules', 'allow', 'reason'];
const KNOWN_BARE = ['allow', 'reason'];
/** What must not be lost where it is not read, besides rules. */
const MEANT: readonly string[] = ['response'];
const RULES = 'rules';

/**
 * Reads what OPA's data API answers.
 *
 * @param message makes what OPA was asked
 * @throws ServiceError `decision-not-understood` or `access-denied`
 */
export function readResult(
  answer: JsonValue,
  question: Question,
  message: () => Message,
  settings: ResultSettings,
): Rules {
  const whole = answerObject(answer);
  refuseLostBeside(whole, [RESULT], []);
  const { [RESULT]: result, ...others } = whole;
  refusePartsIn(others, []);
  refuseDenials(others, []);
  // OPA answers 200 {} for a document that does not exist.
  if (result === undefined) throw notUnderstood('the policy is undefined at that path: no member', [RESULT]);
  if (result === false) throw denied();
  if (result === true) return bareDecision(settings.bareDecision);
  const answered = objectIn(result, [RESULT], 'neither an object nor a boolean');
  mustBeAllowed(answered, question, message);
  return rulesIn(answered, question, settings);
}

function mustBeAllowed(result: JsonObject, question: Question, message: () => Message): void {
  const { allow, reason } = result;
  if (allow === false) throw deniedBecause(reason, message(), question);
  if (allow !== undefined && allow !== true) throw notUnderstood('no boolean', [RESULT, 'allow']);
}

function rulesIn(result: JsonObject, question: Question, settings: ResultSettings): Rules {
  const { rules, response, reason } = result;
  refusePartsIn(reason, [RESULT, 'reason']);
  refuseRulesIn({ reason }, [RESULT]);
  if (rules !== undefined && response !== undefined)
    throw notUnderstood('rules next to a response', [RESULT]);
  if (rules !== undefined) {
    mustHaveOnly(result, KNOWN, [RESULT]);
    return rulesOf(readRules(rules, readingOf(question), [RESULT, 'rules']), question.settings);
  }
  if (response !== undefined) {
    refuseLostBeside(result, ['response'], [RESULT]);
    refuseMisspeltAllow(result);
    return readDecisionValue(result, question.settings, [RESULT], question.keys);
  }
  if (settings.bareDecision === 'allow') refuseLostInBare(result);
  return bareDecision(settings.bareDecision);
}

/** Refuses what must not be lost in a result that says nothing of rules: what else it has is for others. */
function refuseLostInBare(result: JsonObject): void {
  refuseLost(result, { read: KNOWN_BARE, meant: AROUND_SECTIONS }, [RESULT]);
  refuseMisspeltAllow(result);
  refuseRulesIn(result, [RESULT]);
  const others = _.omit(result, KNOWN_BARE);
  refuseDenialsIn(others, [RESULT]);
  for (const [name, value] of Object.entries(others)) {
    refusePartsIn(value, [RESULT, name]);
    if (isLikeRules(name, value)) throw notUnderstood('a name that is nearly rules', [RESULT, name]);
  }
}

/** Lists of texts, such as `roles`, have no rules in them. */
function isLikeRules(name: string, value: JsonValue): boolean {
  return Array.isArray(value) && value.some(saysSomething) && nearest(name, [RULES]) !== undefined;
}

/** Refuses what must not be lost in members that are not read. Other names, such as `roles`, may be near `rules`. */
function refuseLostBeside(object: JsonObject, read: readonly string[], place: JsonPointer): void {
  refuseLost(object, { read, meant: MEANT }, place);
  const others = Object.entries(object).filter(([name]) => !read.includes(name));
  const rules = others.find(([name, value]) => name.toLowerCase() === RULES && saysSomething(value));
  if (rules !== undefined) throw notUnderstood('a member that is not read there', [...place, rules[0]]);
}

/** Next to a response, OPA may answer what it likes, but no other word for a denial. */
function refuseMisspeltAllow(result: JsonObject): void {
  const denial = Object.keys(result).find(
    (name) => name !== 'allow' && result[name] === false && nearest(name, ['allow']) !== undefined,
  );
  if (denial !== undefined) throw notUnderstood('a name that is nearly allow', [RESULT, denial]);
}
