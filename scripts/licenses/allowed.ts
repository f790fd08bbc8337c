/** The licences of packages that ship, by their SPDX identifiers. All of them allow use in products of any licence. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Python-2.0',
]);

/** Whether a package with this SPDX expression may ship. Of alternatives, one has to be allowed; of a combination, each. */
export function isAllowed(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/gu, '').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((name) => ALLOWED.has(name.trim())));
}
