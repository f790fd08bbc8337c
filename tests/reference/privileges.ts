import type { PrioritizedAction } from './actions.ts';
import { parseCondition, type Condition } from './condition.ts';
import { memberOfObject } from './decision.ts';
import { actionOf, policiesBehind } from './entry.ts';
import type { Json } from './model.ts';
import { checkPaths, creatableByNames, holdsForProperty, holdsForRecord } from './naming.ts';
import { requireOfDecision } from './refusal.ts';
import type { FilterRule, MaskRule, RuleReader, RuleSettings } from './rule.ts';

const EVERYTHING: Condition = { kind: 'and', conditions: [] };

/** What is denied gets the default mask whatever its action is, so its priority does not matter either. */
const DEFAULT_MASK: PrioritizedAction = { action: { kind: 'mask' }, priority: undefined };

/** Reads a rule of the privileges section: conditional masking, or with `FILTER`, which records stay (docs/enforcement.md#conditional-masking). */
export function privilegeRule(denied: boolean): RuleReader {
  return (entry, action, settings) => {
    const { action: what, priority } = actionOf(action);
    const condition = conditionOf(action);
    const common = { ...policiesBehind(entry, action), denied };
    if (what.kind === 'filter') return { ...common, ...filterBy(condition, settings) };
    const mask = denied ? DEFAULT_MASK : { action: what, priority };
    return { ...common, ...mask, ...fitsTree(condition, settings) };
  };
}

function conditionOf(action: Json | undefined): Condition {
  const tree = action === undefined ? undefined : memberOfObject(action, 'asset-attributes-filter');
  return tree === undefined ? EVERYTHING : parseCondition(tree);
}

function filterBy(condition: Condition, { document }: RuleSettings): Pick<FilterRule, 'holds'> {
  checkPaths(condition, { attrName: undefined, object: undefined });
  return { holds: (record) => holdsForRecord(condition, { document, record }) };
}

/** Without `attrName`, nothing identifies the property that a privilege is about. */
function fitsTree(condition: Condition, settings: RuleSettings): Pick<MaskRule, 'fits' | 'creatable'> {
  requireOfDecision(settings.attrName !== undefined, 'privileges without attrName');
  checkPaths(condition, settings);
  const { document } = settings;
  return {
    fits: (property, record) =>
      record !== undefined && holdsForProperty(condition, settings, { document, record }, property),
    creatable: (record) => creatableByNames(condition, settings, { document, record }),
  };
}
