/** What is to be released, and what the project says. */
export interface Candidate {
  /** Such as `v0.2.0`. */
  readonly tag: string;
  /** The repository that publishes, as `owner/name`. */
  readonly repository: string;
  readonly version: string;
  /** The repository in package.json. */
  readonly ownRepository: string;
  /** The text of CHANGELOG.md. */
  readonly changelog: string;
}

function unreleased(changelog: string): string {
  return /^## \[Unreleased\]\n([^]*?)(?=^## |$(?![^]))/mu.exec(changelog)?.[1]?.trim() ?? '';
}

/** Why a release cannot be published; empty if it can. */
export function releaseProblems({
  tag,
  repository,
  version,
  ownRepository,
  changelog,
}: Candidate): readonly string[] {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`)) ?? '';
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [
      tag !== `v${version}`,
      `The tag is ${tag || 'missing'}; the version in package.json asks for v${version}.`,
    ],
    [!/ - \d{4}-\d{2}-\d{2}$/u.test(heading), `CHANGELOG.md has no section [${version}] with a date.`],
    [unreleased(changelog) !== '', `CHANGELOG.md has changes under Unreleased; move them to [${version}].`],
    [
      repository.toLowerCase() !== ownRepository.toLowerCase(),
      `package.json says that the repository is ${ownRepository}, and ${repository || 'none'} publishes. Change ` +
        '"homepage", "repository" and "bugs" there, and run npm run docs.',
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}
