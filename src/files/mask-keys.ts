import type { KeyObject } from 'node:crypto';
import process from 'node:process';
import { whenQuiet } from './quiet.ts';
import { readBounded, readRegular, type FileReader } from './read-bounded.ts';
import { whyUnreadable } from './unreadable.ts';
import { watchFiles, type FileWatch } from './watch.ts';

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
 * Reads the keys when nobody writes to their files, and again when the files change: half a key may be long enough.
 * A file that cannot be used leaves its key as it is.
 *
 * @param onChange called for each change of a file, with why it cannot be used if it cannot
 * @param interval how often the files are looked at, in milliseconds
 * @throws MaskKeysError if a key cannot be used at first
 */
export async function openMaskKeys(
  paths: MaskKeyPaths,
  onChange: (name: string, problem: string | undefined) => void,
  interval?: number,
): Promise<MaskKeyFiles> {
  const keys = new Map<string, { current: KeyObject }>();
  const load = (name: string, file: string, read: FileReader): MaskKeyProblem[] => {
    const key = readKey(file, read);
    if (typeof key === 'string') return [{ name, message: key }];
    const held = keys.get(name);
    if (held === undefined) keys.set(name, { current: key });
    else held.current = key;
    return [];
  };
  const entries = Object.entries(paths);
  const seen = await Promise.all(entries.map(([, { file }]) => whenQuiet([file])));
  const problems = entries.flatMap(([name, { file }]) => load(name, file, readBounded));
  if (problems.length > 0) throw new MaskKeysError(problems);
  const watches = entries.map(([name, { file }], at) =>
    watchFiles([file], () => onChange(name, load(name, file, readRegular)[0]?.message), {
      interval,
      seen: seen[at],
    }),
  );
  return { get: (name) => keys.get(name), close: () => watches.forEach((watch: FileWatch) => watch.close()) };
}

/** The key in a file: all of its bytes; or why it cannot be used. */
function readKey(file: string, read: FileReader): KeyObject | string {
  try {
    const bytes = read(file);
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
