import type { KeyObject } from 'node:crypto';
import process from 'node:process';
import { readBounded } from './read-bounded.ts';
import { whyUnreadable } from './unreadable.ts';
import { watchSettledFiles, type FileWatch } from './watch.ts';

/** Fewer bytes than those of the hash itself make it weaker (RFC 2104, section 3). */
const LEAST_BYTES = 32;

/** The files of keys, by name. */
export type MaskKeyPaths = Readonly<Record<string, { readonly file: string }>>;

/** Why a key cannot be used, in words that follow the name of its configuration key. They quote nothing of the file. */
interface MaskKeyProblem {
  readonly name: string;
  readonly message: string;
}

/** Keys that cannot be used. */
export class MaskKeysError extends Error {
  override readonly name = 'MaskKeysError';
  readonly problems: readonly MaskKeyProblem[];

  constructor(problems: readonly MaskKeyProblem[]) {
    super('Keys cannot be used.');
    this.problems = problems;
  }
}

/** The keys of hashes, each as its file has it now. */
export interface MaskKeyFiles {
  get(name: string): { readonly current: KeyObject } | undefined;
  close(): void;
}

/**
 * Reads the keys, and reads them again when their files change and nobody writes to them any more: half a key may be long enough.
 * A file that cannot be used leaves its key as it is.
 *
 * @param onChange called for each change of a file, with why it cannot be used if it cannot
 * @param interval how often the files are looked at, in milliseconds
 * @throws MaskKeysError if a key cannot be used at first
 */
export function openMaskKeys(
  paths: MaskKeyPaths,
  onChange: (name: string, problem: string | undefined) => void,
  interval?: number,
): MaskKeyFiles {
  const keys = new Map<string, { current: KeyObject }>();
  const read = ([name, { file }]: readonly [string, { readonly file: string }]): MaskKeyProblem[] => {
    const key = readKey(file);
    if (typeof key === 'string') return [{ name, message: key }];
    const held = keys.get(name);
    if (held === undefined) keys.set(name, { current: key });
    else held.current = key;
    return [];
  };
  const entries = Object.entries(paths);
  const problems = entries.flatMap(read);
  if (problems.length > 0) throw new MaskKeysError(problems);
  const watches = entries.map((entry) =>
    watchSettledFiles([entry[1].file], () => onChange(entry[0], read(entry)[0]?.message), interval),
  );
  return { get: (name) => keys.get(name), close: () => watches.forEach((watch: FileWatch) => watch.close()) };
}

/** The key in a file: all of its bytes; or why it cannot be used. */
function readKey(file: string): KeyObject | string {
  try {
    const bytes = readBounded(file);
    if (bytes.length < LEAST_BYTES)
      return `names ${file}, which has ${bytes.length} bytes: a key has at least ${LEAST_BYTES}`;
    const { createSecretKey } = process.getBuiltinModule('node:crypto');
    const key = createSecretKey(bytes);
    bytes.fill(0);
    return key;
  } catch (error) {
    return `names ${file}, which cannot be read: ${whyUnreadable(error)}`;
  }
}
