import type { Condition } from './policy.ts';
import { isJsonPath } from './path-dialects.ts';

/** The properties of a policy. */
interface Listed {
  readonly object: string;
  readonly properties: readonly string[];
  readonly when: Condition | undefined;
}

/**
 * The whole paths of properties that are listed below an object. A condition on the object would also hold for what is deeper in it.
 *
 * @param prefixAttribute the attribute that names objects in conditions
 * @returns undefined if they cannot be written so: JSONPath has no text below another path, and a condition of the policy on objects takes
 *   names apart
 */
export function wholeNames(
  { object, properties, when }: Listed,
  prefixAttribute: string,
): readonly string[] | undefined {
  if ([object, ...properties].some(isJsonPath)) return undefined;
  if (when !== undefined && mentions(when, prefixAttribute)) return undefined;
  return properties.map((property) => `${object}.${property}`);
}

function mentions(condition: Condition, attribute: string): boolean {
  if ('all' in condition) return condition.all.some((part) => mentions(part, attribute));
  if ('any' in condition) return condition.any.some((part) => mentions(part, attribute));
  return condition.attribute === attribute;
}
