import {
  MASK,
  parseAttributePath,
  parsePath,
  type Action,
  type FilterRule,
  type JsonValue,
  type PropertyRule,
  type RuleSource,
  type Policy as RulePolicy,
  type Rules,
} from '../../../core/index.ts';
import type { DecisionSettings, Question } from '../../../enforcement/index.ts';
import {
  type Condition as WrittenCondition,
  DEFAULT_NAMES,
  explain,
  filtersRecords,
  type Policy,
  belongsToAccess,
  wholeNames,
} from '../../policies/index.ts';
import { readAction } from '../action.ts';
import { readCondition } from '../resolution/condition.ts';
import { Combinations } from '../resolution/combinations.ts';
import type { ServiceError } from '../../../errors.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { inOrderOfTrial, type Found } from '../order.ts';
import { abridged, originalPlace } from './abridged.ts';
import { ruleSchema, type DocumentRule, type WrittenRule } from './schema.ts';
import { wellFormedRule } from './well-formed.ts';

/** Stands for the name of the prefix in conditions if there is none. */
const PREFIX = '\0prefix';

type Assets = NonNullable<Question['assets']>;
type AssetSelector = NonNullable<Policy['assets']>;

/** What the rules of documents are read with. */
export interface RulesReading extends Pick<Question, 'settings' | 'assets' | 'keys'> {
  /** The names in properties below objects, of all documents of an answer. */
  readonly combinations: Combinations;
}

/** What the documents of one answer are read with. */
export function readingOf({ settings, assets, keys }: Question): RulesReading {
  return { settings, assets, keys, combinations: new Combinations() };
}

/**
 * Reads the `rules` of a rules document (docs/rules-document.schema.json).
 *
 * @param place of the list in what the PDP sent
 * @param defaultName of the policy of rules that name none
 * @throws ServiceError `decision-not-understood` that names the first member that is wrong
 */
export function readRules(
  rules: JsonValue | undefined,
  reading: RulesReading,
  place: JsonPointer,
  defaultName?: string,
): readonly Found[] {
  if (!Array.isArray(rules)) throw notUnderstood('a member that must be a list of rules,', place);
  return rules.flatMap((written, i) => readRule(written, reading, [...place, i], defaultName));
}

/**
 * The rules of documents, in the order in which they are tried: of two without a priority, the first in the document.
 *
 * A document without FILTER rules removes nothing, unless the configuration demands one.
 */
export function rulesOf(found: readonly Found[], { filter, filterDefault }: DecisionSettings): Rules {
  const filters = found.flatMap((one) => ('filter' in one ? [one.filter] : []));
  const isSilent = filters.length === 0 && filterDefault === 'allow';
  return {
    properties: inOrderOfTrial(found.flatMap((one) => ('rule' in one ? [one.rule] : []))),
    filters,
    filterDefault: filter && !isSilent ? filterDefault : undefined,
  };
}

function readRule(
  written: JsonValue,
  reading: RulesReading,
  place: JsonPointer,
  defaultName?: string,
): readonly Found[] {
  const { assetType } = reading.settings;
  const read = wellFormedRule(written, assetType);
  const document = 'rule' in read ? read.rule : checkedRule(written, assetType, read.doubtedAt, place);
  const { rule, policy } = document;
  if (!isAsked(rule, reading)) return [];
  const named = { ...rule, name: policy ?? defaultName ?? rule.name };
  return filtersRecords(rule.action)
    ? readFilter(document, named, reading, place)
    : [{ rule: propertyRule(document, named, reading, place) }];
}

/**
 * Reads a rule that is probably wrong.
 *
 * @param doubtedAt what is probably wrong in it
 * @throws ServiceError `decision-not-understood` that names a member that is wrong
 */
function checkedRule(
  written: JsonValue,
  assetType: string,
  doubtedAt: JsonPointer,
  place: JsonPointer,
): DocumentRule {
  const part = ruleSchema.safeParse(abridged(written, doubtedAt));
  if (!part.success) throw wrongRule(part.error.issues, place, doubtedAt);
  const whole = ruleSchema.safeParse(written);
  if (whole.success) return aboutType(whole.data, assetType);
  throw wrongRule(whole.error.issues, place, []);
}

/** @param doubtedAt what was kept of the rule; nothing if all of it was */
function wrongRule(
  issues: Parameters<typeof explain>[0],
  place: JsonPointer,
  doubtedAt: JsonPointer,
): ServiceError {
  const [problem] = explain(issues);
  const found = (problem?.place ?? []).map((step) => (typeof step === 'symbol' ? String(step) : step));
  const steps = originalPlace(found, doubtedAt);
  return notUnderstood(`a member that ${problem?.message ?? 'is wrong'},`, [...place, ...steps]);
}

function aboutType({ rule, ...others }: WrittenRule, assetType: string): DocumentRule {
  return { ...others, rule: { ...rule, assetType: rule.assetType ?? assetType } };
}

/** A rule about another asset type, or about assets that nobody asked about, is about something else. */
function isAsked({ assetType, assets }: Policy, { settings }: RulesReading): boolean {
  if (assetType !== settings.assetType && assetType !== settings.protectedObject) return false;
  return assets === undefined || assets.type === settings.protectedObject;
}

function readFilter(
  { priority }: DocumentRule,
  rule: Policy,
  { settings, assets }: RulesReading,
  place: JsonPointer,
): readonly Found[] {
  if (!settings.filter) return [];
  const names = { attrName: undefined, object: undefined };
  const tree = rule.when === undefined ? [] : [treeOf(rule.when)];
  const condition = readCondition({ AND: tree }, names, [...place, 'when']);
  const effect = rule.effect === 'denied' ? 'deny' : 'allow';
  const source = { place, action: 'FILTER', priority, effect: rule.effect };
  const filter: FilterRule = { ...originOf(rule, assets), source, effect, condition };
  return [{ filter }];
}

function propertyRule(
  document: DocumentRule,
  rule: Policy,
  reading: RulesReading,
  place: JsonPointer,
): PropertyRule {
  const { priority, maskShort } = document;
  const origin = originOf(rule, reading.assets);
  const about = aboutOf(rule, reading, place);
  if (rule.effect === 'denied') {
    const source: RuleSource = { place, action: 'MASK', priority: undefined, effect: 'denied' };
    return { ...origin, source, about, action: MASK };
  }
  const { name, value } = rule.action;
  const written = value === undefined ? place : [...place, 'action'];
  const { action, text } = readAction({ action: name, value }, written, reading.keys);
  if (action.kind === 'filter') throw notUnderstood('FILTER on properties', [...place, 'action']);
  const source: RuleSource = { place, action: text, priority, effect: 'allowed' };
  return { ...origin, source, about, action: withMaskShort(action, maskShort) };
}

/** An action that masks short values as its rule says, whatever the configuration says. */
function withMaskShort(action: Action, maskShort: boolean | undefined): Action {
  if (maskShort === undefined) return action;
  return { kind: 'change', compile: (settings) => action.compile({ ...settings, maskShort }) };
}

function aboutOf(
  rule: Policy,
  { settings, combinations }: RulesReading,
  place: JsonPointer,
): PropertyRule['about'] {
  const { properties = 'all', object, when } = rule;
  const prefix = object === undefined ? [] : parsePath(object);
  // Each property repeats the names of the object.
  if (properties !== 'all' && prefix.length > 0)
    combinations.count(
      prefix.length * properties.length,
      properties.length,
      'names of objects in the paths of properties',
      [...place, 'object'],
    );
  const isListed = properties !== 'all' && (belongsToAccess(rule) || rule.assets !== undefined);
  if (isListed) return { properties: properties.map((path) => prefix.concat(parsePath(path))) };
  const names = namesIn(settings);
  const whole =
    object === undefined || properties === 'all'
      ? undefined
      : wholeNames({ object, properties, when }, names.object);
  const tree = [
    ...(properties === 'all' ? [] : [leaf(names.attrName, whole ?? properties)]),
    ...(object === undefined || whole !== undefined ? [] : [leaf(names.object, [object])]),
    ...(when === undefined ? [] : [treeOf(when)]),
  ];
  return { condition: readCondition({ AND: tree }, names, [...place, 'when']) };
}

/**
 * The attributes that are names: those of a policy file that leaves them out, unless the configuration has others. Read as
 * properties of the record, they would be absent, and the mask would be lost.
 */
function namesIn({ attrName = DEFAULT_NAMES.attrName, object }: DecisionSettings) {
  const isTaken = attrName === DEFAULT_NAMES.object;
  return { attrName, object: object ?? (isTaken ? PREFIX : DEFAULT_NAMES.object) };
}

/** A condition in the words of the resolution protocol. */
function treeOf(condition: WrittenCondition): unknown {
  if ('all' in condition) return { AND: condition.all.map(treeOf) };
  if ('any' in condition) return { OR: condition.any.map(treeOf) };
  return condition;
}

function leaf(attribute: string, values: readonly string[]): unknown {
  return { attribute, type: 'STRING', operator: 'IN', values };
}

function originOf(rule: Policy, assets: Question['assets']) {
  return { policies: [policyOf(rule)], assetIds: rule.assets && idsOf(rule.assets, assets) };
}

const NO_IDS: ReadonlySet<string> = new Set();
/** All identifiers of a payload: rules about all assets have one set, as there may be hundreds of thousands. */
const idsByAssets = new WeakMap<Assets, ReadonlySet<string>>();

function idsOf({ ids }: AssetSelector, assets: Assets | undefined): ReadonlySet<string> {
  if (ids !== 'all') return new Set(ids);
  if (assets === undefined) return NO_IDS;
  const known = idsByAssets.get(assets) ?? new Set(assets.ids);
  idsByAssets.set(assets, known);
  return known;
}

function policyOf({ name, metadata }: Policy): RulePolicy {
  const property = metadata['DRY_RUN'];
  return {
    name,
    dryRun: property === undefined ? undefined : { property, path: parseAttributePath(property) },
  };
}
