import _ from 'lodash';
import type { JsonValue } from '../../src/core/json/value.ts';
import { isObject, type JsonObject } from './json.ts';
import type { Scenario } from './scenarios.ts';

/** The part of a payload that a scenario is about: its records with some of their properties. */
export function excerpt(payload: JsonValue, { sample, records, properties }: Scenario): JsonValue {
  const shown = recordsIn(payload, sample.recordsIn)
    .filter((record) => records.some((id) => id === record['id'] || id === record['customerId']))
    .map((record) => _.pick(record, properties));
  const [only] = shown;
  return records.length === 1 && only !== undefined ? only : shown;
}

function recordsIn(payload: JsonValue, property: string | undefined): readonly JsonObject[] {
  const list = property !== undefined && isObject(payload) ? payload[property] : payload;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
