import type { PrioritizedAction } from './actions.ts';
import { parseCondition, type Condition } from './condition.ts';
import { memberOfObject } from './decision.ts';
import { actionOf, policiesBehind } from './entry.ts';
import { checkPaths, holdsForProperty, holdsForRecord, namedPaths } from './naming.ts';
import type { FilterRule, MaskRule, RuleReader, RuleSettings } from './rule.ts';

const EVERYTHING: Condition = { kind: 'and', conditions: [] };

/** What is denied is masked whatever its action says, so that its priority says nothing either. */
const DEFAULT_MASK: PrioritizedAction = { action: { kind: 'mask' }, priority: undefined };

/** Reads a rule of the privileges section: conditional masking, or with `FILTER` which records stay (enforcement §6). */
export function privilegeRule(denied: boolean): RuleReader {
  return (entry, action, settings) => {
    const { action: what, priority } = actionOf(action);
    const tree = memberOfObject(action, 'asset-attributes-filter');
    const condition = tree === undefined ? EVERYTHING : parseCondition(tree);
    const common = { ...policiesBehind(entry, action), denied };
    if (what.kind === 'filter') return { ...common, ...filterBy(condition, settings) };
    const mask = denied ? DEFAULT_MASK : { action: what, priority };
    return { ...common, ...mask, ...fitsTree(condition, settings) };
  };
}

function filterBy(condition: Condition, { document }: RuleSettings): Pick<FilterRule, 'holds'> {
  checkPaths(condition, { attrName: undefined, object: undefined });
  return { holds: (record) => holdsForRecord(condition, { document, record }) };
}

function fitsTree(condition: Condition, settings: RuleSettings): Pick<MaskRule, 'paths' | 'fits'> {
  checkPaths(condition, settings);
  const { document } = settings;
  return {
    paths: namedPaths(condition, settings),
    fits: (record, property) => holdsForProperty(condition, settings, { document, record }, property),
  };
}
