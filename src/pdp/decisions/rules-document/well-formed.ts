import { NumberText, type JsonValue } from '../../../core/index.ts';
import {
  Doubt,
  isConsistent,
  memberOf,
  membersOf,
  objectWith,
  rightAction,
  rightAllOrList,
  rightAssets,
  rightCondition,
  rightEffect,
  rightFlag,
  rightMetadata,
  rightPath,
  rightText,
  unlessInDoubt,
  type Policy,
} from '../../policies/index.ts';
import { DRY_RUN, UNNAMED, type DocumentRule } from './rule.ts';

const RULE = membersOf(
  'policy assetType effect object properties action priority when assets metadata dryRun maskShort',
);
const WHOLE_NUMBER = /^\d+$/;

/**
 * Reads a rule that is right, in a fraction of the time that the schema takes (`schema.ts`). It reads nothing that the schema
 * refuses, and reads everything else as the schema does.
 *
 * @param assetType of a rule that names none
 * @returns undefined if the rule may be wrong: the schema decides, and explains
 */
export function wellFormedRule(written: JsonValue, assetType: string): DocumentRule | undefined {
  return unlessInDoubt(() => ruleOf(written, assetType));
}

function ruleOf(written: JsonValue, assetType: string): DocumentRule {
  const rule = objectWith(written, RULE);
  const policy = memberOf(rule['policy'], rightText);
  const read: Policy = {
    name: policy ?? UNNAMED,
    assetType: memberOf(rule['assetType'], rightText) ?? assetType,
    effect: memberOf(rule['effect'], rightEffect) ?? 'allowed',
    object: memberOf(rule['object'], rightPath),
    properties: memberOf(rule['properties'], (list) => rightAllOrList(list, rightPath)),
    action: rightAction(rule['action']),
    when: memberOf(rule['when'], (tree) => rightCondition(tree, conditionValue)),
    assets: memberOf(rule['assets'], rightAssets),
    metadata: metadataOf(rule['metadata'], rule['dryRun']),
  };
  const priority = memberOf(rule['priority'], priorityOf);
  const order = priority === undefined ? undefined : 0;
  if (!isConsistent({ ...read, priority: order })) throw new Doubt();
  return { policy, rule: read, priority, maskShort: memberOf(rule['maskShort'], rightFlag) };
}

function conditionValue(value: unknown): string {
  if (typeof value === 'boolean' || isNumber(value)) return String(value);
  const written = rightText(value);
  if (written.startsWith('${')) throw new Doubt();
  return written;
}

function metadataOf(metadata: unknown, dryRun: unknown): Policy['metadata'] {
  const read = memberOf(metadata, rightMetadata) ?? {};
  if (dryRun === undefined) return read;
  if (DRY_RUN in read) throw new Doubt();
  return { ...read, [DRY_RUN]: rightPath(dryRun) };
}

function priorityOf(value: unknown): bigint {
  const digits = isNumber(value) ? String(value) : '';
  if (!WHOLE_NUMBER.test(digits)) throw new Doubt();
  return BigInt(digits);
}

function isNumber(value: unknown): value is number | NumberText {
  return typeof value === 'number' || value instanceof NumberText;
}
