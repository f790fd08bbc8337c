import {
  NEVER,
  NO_MASK_KEYS,
  parseAction,
  type Action,
  type FilterRule,
  type JsonValue,
  type PropertyRule,
  type RuleSource,
  type Rules,
} from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import {
  answerObject,
  Combinations,
  type JsonObject,
  jsonText,
  mustHaveOnly,
  notUnderstood,
  objectIn,
  refuseDenials,
  refuseLost,
  refusePartsIn,
  type JsonPointer,
} from '../../decisions/index.ts';
import { fieldPath } from './field.ts';
import { readUcast } from './ucast.ts';

const PARTS: readonly string[] = ['query', 'masks'];
const POLICIES = [{ name: 'unknown', dryRun: undefined }];
const ORIGIN = { policies: POLICIES, assetIds: undefined };
const NO_RECORDS: FilterRule = {
  ...ORIGIN,
  source: sourceAt(['result'], 'FILTER'),
  effect: 'allow',
  condition: NEVER,
};

/**
 * Reads the answer of OPA's compile API: `query` filters the records, `masks` replaces their properties. Without a
 * query no record stays: OPA answers so if the policy never allows, and also if it has no policy at that path.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function readCompiled(answer: JsonValue, settings: DecisionSettings): Rules {
  const whole = answerObject(answer);
  refuseLost(whole, { read: ['result'], meant: PARTS }, []);
  const { result: answered, ...others } = whole;
  refusePartsIn(others, []);
  refuseDenials(others, []);
  if (answered === undefined) return withFilters([NO_RECORDS], []);
  const result = objectIn(answered, ['result']);
  mustHaveOnly(result, PARTS, ['result']);
  const properties = masksIn(result['masks'], settings, ['result', 'masks']);
  return withFilters(filtersIn(result, settings), properties);
}

function sourceAt(place: JsonPointer, action: string): RuleSource {
  return { place, action, priority: undefined, effect: 'allowed' };
}

function withFilters(filters: readonly FilterRule[], properties: readonly PropertyRule[]): Rules {
  return { properties, filters, filterDefault: undefined };
}

/** With filtering off, a query does nothing. That no record may be seen is no matter of filtering. */
function filtersIn({ query }: JsonObject, settings: DecisionSettings): readonly FilterRule[] {
  if (query === undefined) return [NO_RECORDS];
  const condition = readUcast(query, settings, ['result', 'query']);
  const source = sourceAt(['result', 'query'], 'FILTER');
  return settings.filter ? [{ ...ORIGIN, source, effect: 'allow', condition }] : [];
}

function masksIn(
  masks: JsonValue | undefined,
  settings: DecisionSettings,
  place: JsonPointer,
): readonly PropertyRule[] {
  if (masks === undefined) return [];
  // The name of a table is a part of the path of each of its columns.
  const combinations = new Combinations();
  return membersOf(masks, place).flatMap(([table, columns]) =>
    membersOf(columns, [...place, table]).flatMap(([column, mask]) => {
      const at = [...place, table, column];
      const text = maskText(mask, at);
      if (text === undefined) return [];
      const path = fieldPath(`${table}.${column}`, settings, at);
      combinations.count(path.length, 1, 'names in the paths of columns', at);
      const action = replacementBy(text, [...at, 'replace', 'value']);
      return [{ ...ORIGIN, source: sourceAt(at, text), about: { properties: [path] }, action }];
    }),
  );
}

/** An action. What decides is whether there is a value, whatever it is: without one, the property is shown. */
function maskText(mask: JsonValue, place: JsonPointer): string | undefined {
  const written = objectIn(mask, place);
  mustHaveOnly(written, ['replace'], place);
  if (written['replace'] === undefined) return undefined;
  const replace = objectIn(written['replace'], [...place, 'replace']);
  mustHaveOnly(replace, ['value'], [...place, 'replace']);
  const { value } = replace;
  return value === undefined ? undefined : `value(${jsonText(value)})`;
}

/** The value, with its type, in the place of whatever is there (masks.md, `value`). */
function replacementBy(text: string, place: JsonPointer): Action {
  const action = parseAction(text, NO_MASK_KEYS);
  if (action === undefined || 'problem' in action || action.kind !== 'change')
    throw notUnderstood('a value that cannot be set', place);
  return action;
}

function membersOf(value: JsonValue, place: JsonPointer): readonly [string, JsonValue][] {
  return Object.entries(objectIn(value, place));
}
