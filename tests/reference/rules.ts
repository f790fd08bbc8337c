import { accessRule } from './access.ts';
import { listOf, memberOfObject } from './decision.ts';
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
 * Reads the rules of a decision (enforcement §5, §6 and §8).
 *
 * @throws Refusal 502 where the decision is not understood.
 */
export function parseRules(decision: unknown, settings: RuleSettings): Rules {
  const response = listOf(understood(responseOf(decision), 'no response'));
  const rules = [
    ...response.flatMap((part) => sectionOf(part, 'access', settings, accessRule)),
    ...response.flatMap((part) => privilegesOf(memberOfObject(part, 'privileges') ?? {}, settings)),
  ];
  const filters = rules.filter((rule): rule is FilterRule => !isMaskRule(rule));
  return { masks: rules.filter(isMaskRule).toSorted(byRank), filters: settings.filtering ? filters : [] };
}

function responseOf(decision: unknown): unknown {
  return (
    memberOfObject(decision, 'response') ?? memberOfObject(memberOfObject(decision, 'data') ?? {}, 'response')
  );
}

function privilegesOf(privileges: unknown, settings: RuleSettings): Rule[] {
  return [
    ...sectionOf(privileges, 'allowed', settings, privilegeRule(false)),
    ...sectionOf(privileges, 'denied', settings, privilegeRule(true)),
  ];
}

function sectionOf(holder: unknown, section: string, settings: RuleSettings, readRule: RuleReader): Rule[] {
  const entries = listOf(memberOfObject(holder, section));
  return entries
    .filter((entry) => isOurs(memberOfObject(entry, 'resourceType'), section, settings))
    .flatMap((entry) => actionsOf(entry).map((action) => readRule(entry, action, settings)));
}

function isOurs(resourceType: unknown, section: string, { assetType, asset }: RuleSettings): boolean {
  requireOfDecision(typeof resourceType === 'string', 'an entry without resourceType');
  return resourceType === assetType || (section === 'access' && resourceType === asset?.protectedObject);
}

function actionsOf(entry: unknown): readonly unknown[] {
  const actions = listOf(memberOfObject(entry, 'actions'));
  requireOfDecision(actions.length > 0, 'an entry without actions');
  return actions;
}
