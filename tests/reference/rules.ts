import { accessRule } from './access.ts';
import { hasName, listOf, memberOfObject, parseDecision, stringOrNothing } from './decision.ts';
import { actionsOf } from './entry.ts';
import { objectOf, type Json } from './model.ts';
import { privilegeRule } from './privileges.ts';
import { requireOfDecision, understood } from './refusal.ts';
import {
  byRank,
  isMaskRule,
  type FilterRule,
  type MaskRule,
  type Rule,
  type RuleReader,
  type RuleSettings,
} from './rule.ts';

interface Rules {
  /** In the order in which they are tried on a property. */
  readonly masks: readonly MaskRule[];
  readonly filters: readonly FilterRule[];
}

/**
 * Reads the rules of a decision (docs/pdp-contract.md#the-answer).
 *
 * @throws Refusal 502 if the decision is not understood.
 */
export function parseRules(decisionText: string, settings: RuleSettings): Rules {
  const response = responseOf(parseDecision(decisionText));
  const rules = [
    ...response.flatMap((part) => sectionOf(part, 'access', settings, accessRule)),
    ...response.flatMap((part) => privilegesOf(part, settings)),
  ];
  const filters = rules.filter((rule): rule is FilterRule => !isMaskRule(rule));
  return { masks: rules.filter(isMaskRule).toSorted(byRank), filters: settings.filtering ? filters : [] };
}

/** The answer may be wrapped in `data` once, but not have both. */
function responseOf(decision: Json): readonly Json[] {
  requireOfDecision(!hasName(decision, 'response') || !hasName(decision, 'data'), 'response next to data');
  const holder = hasName(decision, 'data') ? memberOfObject(decision, 'data') : decision;
  requireOfDecision(
    holder?.kind !== 'object' || !hasName(holder, 'data') || holder === decision,
    'data in data',
  );
  return listOf(understood(memberOfObject(holder, 'response'), 'no response'));
}

function privilegesOf(part: Json, settings: RuleSettings): Rule[] {
  const privileges = memberOfObject(part, 'privileges') ?? objectOf([]);
  return [
    ...sectionOf(privileges, 'allowed', settings, privilegeRule(false)),
    ...sectionOf(privileges, 'denied', settings, privilegeRule(true)),
  ];
}

function sectionOf(holder: Json, section: string, settings: RuleSettings, readRule: RuleReader): Rule[] {
  const entries = listOf(memberOfObject(holder, section)).filter((entry) => isOurs(entry, settings));
  return entries.flatMap((entry) => actionsOf(entry).map((action) => readRule(entry, action, settings)));
}

function isOurs(entry: Json, { assetType, asset }: RuleSettings): boolean {
  const resourceType = stringOrNothing(memberOfObject(entry, 'resourceType'));
  const type = understood(resourceType, 'an entry without resourceType');
  return type === assetType || type === asset?.protectedObject;
}
