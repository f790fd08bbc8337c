import { ExplainedError, MAX_PROBLEMS } from '../errors.ts';
import { escapeUnprintable } from '../telemetry/log/index.ts';

/** One thing that is wrong with a configuration. */
export interface Problem {
  /** Counted from 1; absent if the problem is that something is missing in the file that no other key needs. */
  readonly line?: number;
  /** Dotted, such as `log.level`; empty if the problem concerns the whole file. */
  readonly key: string;
  /** The key (dotted) that needs this one, if this one is missing. */
  readonly neededBy?: string | undefined;
  /** What is wrong and what would be right, as the rest of a sentence that begins with the key. Quotes no values. */
  readonly message: string;
}

/** A configuration that the service refuses to run on. The message is fit for a terminal, a line a problem. */
export class ConfigurationError extends ExplainedError {
  readonly problems: readonly Problem[];
  /** The file that has the problems; empty if several have. */
  readonly file: string;

  constructor(message: string, problems: readonly Problem[], file = '') {
    super(message);
    this.name = 'ConfigurationError';
    this.problems = problems;
    this.file = file;
  }
}

function byLine(one: Problem, other: Problem): number {
  return (one.line ?? Infinity) - (other.line ?? Infinity) || 0;
}

/** A sentence for each problem. Of very many, the first {@link MAX_PROBLEMS} have one, and the last says how many more there are. */
export function sentencesOf(problems: readonly Problem[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS;
  const sentences = problems.slice(0, MAX_PROBLEMS).map(sentence);
  return more > 0 ? [...sentences, `and ${more} more`] : sentences;
}

const REST_OF_SENTENCE = /^(?:is|must) /u;

function sentence({ line, key, message }: Problem): string {
  const place = line === undefined ? '' : `line ${line}: `;
  const subject = key === '' && REST_OF_SENTENCE.test(message) ? 'the file' : key;
  return place + [subject, message].filter(Boolean).join(' ');
}

/** The error for a file with problems, in the order of their lines; those without a line come last. */
export function configurationError(file: string, found: readonly Problem[]): ConfigurationError {
  const problems = found.toSorted(byLine);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = [`${file}: ${count}`, ...sentencesOf(problems).map((text) => `  ${text}`)];
  return new ConfigurationError(lines.map(escapeUnprintable).join('\n'), problems, file);
}

/** A file that cannot be read at all. */
export class UnreadableError extends ConfigurationError {
  /** What is wrong, as the rest of a sentence that begins with the file. */
  readonly problem: string;

  constructor(file: string, problem: string) {
    super(escapeUnprintable(`${file} ${problem}`), [{ key: '', message: problem }], file);
    this.problem = problem;
  }
}

/** The error for a file that cannot be read at all: one line. */
export function unreadableError(file: string, reason: string): UnreadableError {
  return new UnreadableError(file, `cannot be read: ${reason}`);
}

const NAME = /^[\w$.-]*/u;
const SECRET = /^.*?(?:secret|password|passphrase)/iu;

/**
 * An unknown key as it may be shown. The text after the name of a secret can be the secret itself, as in
 * `clientSecret:hunter2`, in which a space is missing. So the key is shown up to the first character that names do not
 * have, and no further than the name of a secret.
 */
export function shownKey(key: string): string {
  const [name] = NAME.exec(key) ?? [''];
  const shown = SECRET.exec(name)?.[0] ?? name;
  return shown === key ? key : `${shown}…`;
}
