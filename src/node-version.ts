/** The oldest Node.js that this program runs on: `engines` of `package.json`. */
export const OLDEST_NODE = '26.0';

/**
 * Why this program does not run here, as one line; undefined if it does.
 *
 * @param version of Node.js, such as `20.11.1`
 */
export function oldNodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `authz-jsonmasking needs Node.js ${OLDEST_NODE} or later; this is Node.js ${version}.`;
}
