import _ from 'lodash';
import type { EnforcementProblem } from '../reference/enforce.ts';
import { decisionTextOf } from '../reference/enforce.ts';

interface Planted {
  readonly problem: EnforcementProblem;
  /** The values of the payload: each occurs nowhere else by chance. */
  readonly secrets: readonly string[];
}

/**
 * Replaces each value of a payload by one that occurs nowhere else, and the same value in the conditions of the decision,
 * so that conditions hold as often as before.
 */
export function planted(problem: EnforcementProblem): Planted {
  const secrets = new Map<string, string | number>();
  const payload = mapped(JSON.parse(problem.jsonText), (value) => {
    const known = secrets.get(String(value));
    const secret =
      known ?? (typeof value === 'string' ? `secret-${secrets.size}-` : 70_000_001 + secrets.size * 1000);
    secrets.set(String(value), secret);
    return secret;
  });
  const decision =
    problem.decisionText === undefined ? inConditions(JSON.parse(decisionTextOf(problem)), secrets) : {};
  return {
    problem: { ...problem, jsonText: JSON.stringify(payload), decision, decisionText: undefined },
    secrets: [...secrets.values()].map(String),
  };
}

function mapped(value: unknown, change: (scalar: string | number) => unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value);
  if (Array.isArray(value)) return value.map((element) => mapped(element, change));
  return _.isPlainObject(value) ? _.mapValues(Object(value), (member) => mapped(member, change)) : value;
}

/** Puts secrets into the values that conditions compare, and nowhere else. */
function inConditions(value: unknown, secrets: ReadonlyMap<string, string | number>): unknown {
  if (Array.isArray(value)) return value.map((element) => inConditions(element, secrets));
  if (!_.isPlainObject(value)) return value;
  return _.mapValues(Object(value), (member, name) =>
    name === 'values' && 'attribute' in Object(value)
      ? mapped(member, (scalar) => secrets.get(String(scalar)) ?? scalar)
      : inConditions(member, secrets),
  );
}
