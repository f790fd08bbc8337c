/**
 * Compares what is to be released with what the project says: `node scripts/release-check.ts v0.2.0 owner/name`. The version,
 * the changelog and the repository have to be right before a tag is published.
 */
import { readFileSync } from 'node:fs';
import { PROJECT, REPOSITORY } from './project.ts';
import { releaseProblems } from './release/problems.ts';

const [tag = '', repository = ''] = process.argv.slice(2);
const problems = releaseProblems({
  tag,
  repository,
  version: PROJECT.version,
  ownRepository: REPOSITORY,
  changelog: readFileSync('CHANGELOG.md', 'utf8'),
});
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${tag} of ${repository} is ready.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
