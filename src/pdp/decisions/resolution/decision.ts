import _ from 'lodash';
import {
  NO_MASK_KEYS,
  type FilterRule,
  type MaskKeys,
  type PropertyRule,
  type Rules,
  type ShortenedText,
} from '../../../core/index.ts';
import { ServiceError } from '../../../errors.ts';
import { readAccessSection } from './access.ts';
import { readAnswerValue, type Answer } from './answer-value.ts';
import { readAnswer } from './answer-text.ts';
import type { KnownEntry } from './entry.ts';
import type { KnownRules } from './known-rules.ts';
import { NO_KNOWN_ENTRIES, type KnownEntries, type Reading } from './reading.ts';
import type { JsonPointer } from '../not-understood.ts';
import { inOrderOfTrial } from '../order.ts';
import { readPrivilegesSection } from './privileges.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';

/**
 * Reads a decision into rules: everything in it is understood or refused (docs/pdp-contract.md#what-is-refused).
 *
 * @param bytes the PDP's answer, JSON in UTF-8
 * @param keys the keys that hashes may use
 * @param known the rules of decisions that were read before; they are not read again
 * @throws ServiceError `decision-not-understood`
 */
export function readDecision(
  bytes: Uint8Array,
  settings: DecisionSettings,
  keys: MaskKeys = NO_MASK_KEYS,
  known?: KnownRules,
): Rules {
  if (known === undefined) return rulesIn(readAnswer(bytes), settings, keys);
  const reading = known.under(settings, keys);
  const shortened = reading.shorten(bytes);
  const shorter = shortened && readShortened(bytes, shortened, settings, keys, reading.again());
  if (shorter) return shorter;
  const rules = rulesIn(readAnswer(bytes), settings, keys, reading);
  reading.remember(bytes, rules);
  return rules;
}

/**
 * Reads only those entries that the decision before lacks.
 *
 * @returns undefined if that cannot be told apart, or something is wrong: all of the decision has to be read then
 */
function readShortened(
  bytes: Uint8Array,
  shortened: ShortenedText<KnownEntry>,
  settings: DecisionSettings,
  keys: MaskKeys,
  reading: Reading,
): Rules | undefined {
  try {
    const rules = rulesIn(readAnswer(shortened.bytes, shortened), settings, keys, reading);
    return reading.finish(bytes, shortened, rules);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/**
 * Reads a decision that is part of another answer, or that the embedded PDP made.
 *
 * @param value a JSON value
 * @param place its place in the answer
 * @throws ServiceError `decision-not-understood`
 */
export function readDecisionValue(
  value: unknown,
  settings: DecisionSettings,
  place: JsonPointer,
  keys: MaskKeys,
): Rules {
  return rulesIn(readAnswerValue(value, place), settings, keys);
}

function rulesIn(
  answer: Answer,
  settings: DecisionSettings,
  keys: MaskKeys,
  known: KnownEntries = NO_KNOWN_ENTRIES,
): Rules {
  const properties: PropertyRule[] = [];
  const filters: FilterRule[] = [];
  let hasIdleFilters = false;
  for (const read of [readAccessSection, readPrivilegesSection]) {
    for (const one of read(answer, settings, keys, known)) {
      if ('rule' in one) properties.push(one.rule);
      else if ('filter' in one) filters.push(one.filter);
      else hasIdleFilters = true;
    }
  }
  const areKnown = known.keep();
  return {
    properties: inOrderOfTrial(properties),
    filters: mergeByAsset(filters),
    filterDefault: settings.filter ? settings.filterDefault : undefined,
    hasIdleFilters,
    maskShort: answer.maskShort,
    areKnown,
  };
}

/** Merges filters that each allow one asset and come from the same policies. */
function mergeByAsset(filters: readonly FilterRule[]): readonly FilterRule[] {
  if (filters.length === 0) return filters;
  const [ofAssets, others] = _.partition(filters, ({ assetIds }) => assetIds !== undefined);
  const merged = Object.values(_.groupBy(ofAssets, ({ policies }) => JSON.stringify(policies))).flatMap(
    (group) => {
      const [first, ...more] = group;
      if (first === undefined || more.length === 0) return group;
      const assetIds = new Set(group.flatMap((one) => [...(one.assetIds ?? [])]));
      return [{ ...first, assetIds, merged: group }];
    },
  );
  return [...others, ...merged];
}
