/**
 * Asks the registry about what ships: `node scripts/audit.ts`. Known vulnerabilities, and packages whose signature is not
 * right, fail it. If the registry cannot be asked, it says so and does not fail.
 */
import { spawnSync } from 'node:child_process';

interface Question {
  readonly about: string;
  readonly arguments: readonly string[];
}

const QUESTIONS: readonly Question[] = [
  { about: 'known vulnerabilities', arguments: ['audit', '--omit=dev', '--fetch-retries=0'] },
  { about: 'signatures', arguments: ['audit', 'signatures', '--omit=dev', '--fetch-retries=0'] },
];

/** How npm says that it got no answer. */
const NO_ANSWER =
  /audit endpoint returned an error|npm error network|npm error code E(?:NOTFOUND|AI_AGAIN|CONN|40\d)/u;

function isAnsweredWell({ about, arguments: options }: Question): boolean {
  const { status, stdout, stderr } = spawnSync('npm', options, { encoding: 'utf8' });
  if (status !== 0 && NO_ANSWER.test(stderr)) {
    process.stdout.write(`SKIPPED ${about}: the registry does not answer.\n`);
    return true;
  }
  process.stdout.write(stdout);
  process.stderr.write(status === 0 ? '' : stderr);
  return status === 0;
}

process.exitCode = QUESTIONS.map(isAnsweredWell).every(Boolean) ? 0 : 1;
