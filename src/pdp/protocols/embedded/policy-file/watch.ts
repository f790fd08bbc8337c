import lodash from 'lodash';
import { ConfigurationError, type Problem } from '../../../../yaml/index.ts';
import { watchSettledFiles, type FileWatch } from '../../../../files/index.ts';
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

const INTERVAL = 1000;

/**
 * Loads a policy file, and loads it again when it or a key set that it names changes. A version is loaded as a whole; a
 * wrong one is reported and changes nothing.
 *
 * @throws ConfigurationError if the first version is wrong
 */
export function watchPolicyFile(file: string, options: WatchOptions): WatchedPolicies {
  return new PolicyWatch(file, options);
}

class PolicyWatch implements WatchedPolicies {
  readonly #file: string;
  readonly #options: WatchOptions;
  #version: PolicyVersion;
  #watch: FileWatch;

  constructor(file: string, options: WatchOptions) {
    this.#file = file;
    this.#options = options;
    this.#version = this.#load();
    this.#watch = this.#follow();
    options.onLoad(this.#version, true);
  }

  get current(): PolicyFile {
    return this.#version.policies;
  }

  close(): void {
    this.#watch.close();
  }

  #load(): PolicyVersion {
    const version = loadPolicyVersion(this.#file, this.#options.maskKeys);
    this.#options.check?.(version.policies);
    return version;
  }

  #follow(): FileWatch {
    const { interval = INTERVAL } = this.#options;
    const changed = (): void => {
      clearTimeout(again);
      this.#renew();
    };
    const watch = watchSettledFiles(this.#version.files, changed, interval);
    // What changed between the loading and the first look of the watch, unless it has seen that, too.
    const again = setTimeout(() => watch.look(), 2 * interval).unref();
    return {
      close() {
        clearTimeout(again);
        watch.close();
      },
    };
  }

  #renew(): void {
    try {
      const version = this.#load();
      if (version.hash !== this.#version.hash) this.#take(version);
    } catch (error) {
      this.#options.onFailure(problemsOf(error));
    }
  }

  #take(version: PolicyVersion): void {
    const before = this.#version;
    this.#version = version;
    if (!lodash.isEqual(version.files, before.files)) {
      this.#watch.close();
      this.#watch = this.#follow();
    }
    this.#options.onLoad(version, false);
  }
}

/** A reader that fails must not end a service that has good policies. */
function problemsOf(error: unknown): readonly Problem[] {
  return error instanceof ConfigurationError
    ? error.problems
    : [{ key: '', message: 'cannot be read: the reader failed' }];
}
