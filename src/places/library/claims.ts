import { TOP, valueAt, type JsonDocument } from '../../core/index.ts';

/** The claims of a verified token, as an intent has them. */
export function claimsOf(claims: JsonDocument): Readonly<Record<string, unknown>> {
  const value = valueAt(claims, TOP);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
