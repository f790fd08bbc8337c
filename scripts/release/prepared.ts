/** The project's own version comes first in package.json, and in the two first places of the lockfile. */
const OWN_VERSION = /"version": "[^"]+"/u;
const OWN_ENTRY = /("": \{\s*"name": "[^"]+",\s*)"version": "[^"]+"/u;

/** @param text package.json, or package-lock.json */
export function withVersion(text: string, version: string): string {
  const written = `"version": "${version}"`;
  return text.replace(OWN_VERSION, written).replace(OWN_ENTRY, `$1${written}`);
}

/**
 * The changelog with its unreleased changes under a version and a date.
 *
 * @throws Error if it has a section of this version
 */
export function datedChangelog(text: string, version: string, date: string): string {
  if (text.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has a section [${version}].`);
  return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}
