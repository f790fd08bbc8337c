import lodash from 'lodash';
import { ConfigurationError, type Problem } from '../../../../yaml/index.ts';
import {
  lookAt,
  mayBeBeingWritten,
  readBounded,
  readRegular,
  watchFiles,
  whenQuiet,
  type FileReader,
  type FileWatch,
  type Sight,
} from '../../../../files/index.ts';
import type { PolicyFile } from '../../../policies/index.ts';
import { loadPolicyVersion, type PolicyVersion } from './load.ts';

/** Policies that may change; who asks twice may get two versions. */
export interface CurrentPolicies {
  readonly current: PolicyFile;
}

/** A policy file that is read again when it changes. */
export interface WatchedPolicies extends CurrentPolicies {
  /** Lets go of the file; the policies stay as they are. */
  close(): void;
}

interface WatchOptions {
  /** The names that hashes may use; any if it is not known who enforces the decisions. */
  readonly maskKeys?: ReadonlySet<string> | undefined;
  /** Refuses policies that do not fit what uses them. @throws ConfigurationError */
  readonly check?: (policies: PolicyFile) => void;
  /** Called with each version that is loaded. */
  readonly onLoad: (version: PolicyVersion, isFirst: boolean) => void;
  /** Called with the problems of a version that is rejected. */
  readonly onFailure: (problems: readonly Problem[]) => void;
  /** How often the files are looked at, in milliseconds. */
  readonly interval?: number | undefined;
}

/**
 * Loads a policy file when nobody writes to it, and again when it or a key set that it names changes. A version is loaded as a
 * whole; a wrong one is reported and changes nothing.
 *
 * @throws ConfigurationError if the first version is wrong
 */
export async function watchPolicyFile(file: string, options: WatchOptions): Promise<WatchedPolicies> {
  return new PolicyWatch(file, options, await firstVersion(file, options));
}

/** What came of reading the policies once. */
interface Reading {
  /** Everything that was opened, or was to be opened: the policy file and the key sets. */
  readonly files: readonly string[];
  readonly outcome: { readonly version: PolicyVersion } | { readonly error: unknown };
}

/** A first version, and what was seen of its files. */
interface First {
  readonly version: PolicyVersion;
  readonly files: readonly string[];
  readonly seen: Sight;
}

/**
 * Trusts the times of the files, because nobody who starts a program wants to wait for files of long ago.
 *
 * @param paths what is known of the files that are read
 * @throws ConfigurationError if the version is wrong
 */
async function firstVersion(
  file: string,
  options: WatchOptions,
  paths: readonly string[] = [file],
): Promise<First> {
  const before = await whenQuiet(paths);
  const { files, outcome } = readOnce(file, options, readBounded);
  const after = await lookAt(paths);
  const isKnown = lodash.isEqual(files, paths);
  // Reading has made other files known, which may be half written.
  const seen = isKnown ? after : await lookAt(files);
  const isQuiet = after.state === before.state && (isKnown || !mayBeBeingWritten(seen));
  if (!isQuiet) return firstVersion(file, options, files);
  if ('error' in outcome) throw outcome.error;
  return { version: outcome.version, files, seen };
}

function readOnce(file: string, { maskKeys, check }: WatchOptions, read: FileReader): Reading {
  const opened = new Set<string>();
  const open: FileReader = (path) => {
    opened.add(path);
    return read(path);
  };
  const outcomeOf = (): Reading['outcome'] => {
    try {
      const version = loadPolicyVersion(file, maskKeys, open);
      check?.(version.policies);
      return { version };
    } catch (error) {
      return { error };
    }
  };
  const outcome = outcomeOf();
  return { outcome, files: [...opened] };
}

class PolicyWatch implements WatchedPolicies {
  readonly #file: string;
  readonly #options: WatchOptions;
  #version: PolicyVersion;
  #files: readonly string[];
  #watch: FileWatch;
  /** Whether the policies are those that the files have now. */
  #isCurrent = true;
  #isClosed = false;

  constructor(file: string, options: WatchOptions, { version, files, seen }: First) {
    this.#file = file;
    this.#options = options;
    this.#version = version;
    this.#files = files;
    this.#watch = this.#follow(seen);
    options.onLoad(version, true);
  }

  get current(): PolicyFile {
    return this.#version.policies;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  #follow(seen: Sight | 'changed'): FileWatch {
    return watchFiles(this.#files, (quiet) => this.#renew(quiet), { interval: this.#options.interval, seen });
  }

  async #renew(quiet: Sight): Promise<void> {
    const { files, outcome } = readOnce(this.#file, this.#options, readRegular);
    if (!lodash.isEqual(files, this.#files)) {
      // Nobody knows yet whether the new ones are being written, and a wrong version becomes right if one of them changes.
      this.#watch.close();
      this.#files = files;
      this.#watch = this.#follow('changed');
      return;
    }
    // The watch sees what has changed in the meantime, too.
    const isSame = (await lookAt(files)).state === quiet.state;
    if (isSame && !this.#isClosed) this.#take(outcome);
  }

  #take(outcome: Reading['outcome']): void {
    if ('error' in outcome) {
      this.#isCurrent = false;
      this.#options.onFailure(problemsOf(outcome.error));
      return;
    }
    const { version } = outcome;
    if (this.#isCurrent && version.hash === this.#version.hash) return;
    this.#isCurrent = true;
    this.#version = version;
    this.#options.onLoad(version, false);
  }
}

/** A reader that fails must not end a service that has good policies. */
function problemsOf(error: unknown): readonly Problem[] {
  return error instanceof ConfigurationError
    ? error.problems
    : [{ key: '', message: 'cannot be read: the reader failed' }];
}
