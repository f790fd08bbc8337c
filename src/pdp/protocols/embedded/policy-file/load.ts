import { dirname } from 'node:path';
import process from 'node:process';
import type * as z from 'zod';
import {
  configurationError,
  keyOf,
  readSource,
  unreadableError,
  type Problem,
  type Source,
} from '../../../../yaml/index.ts';
import {
  explain,
  type PlacedProblem,
  type Policy,
  type PolicyFile,
  policySchema,
} from '../../../policies/index.ts';
import { readBounded, whyUnreadable, type FileReader } from '../../../../files/index.ts';
import { configurationProblem } from './configuration-file.ts';
import { PARSING, policyFileSchema } from './file-schema.ts';
import { keySetReader, type KeySetReader } from './key-set-file.ts';
import { outlineOf, type Outline } from './outline.ts';
import { checkReferences } from './references.ts';

/**
 * Reads and checks a policy file (`docs/policy-file.md`). Key sets that it names are read as well.
 *
 * @param file path of the file; key sets are relative to its directory
 * @param maskKeys the names that hashes may use; any if it is not known who enforces the decisions
 * @throws ConfigurationError with everything that is wrong with it
 */
export function loadPolicyFile(file: string, maskKeys?: ReadonlySet<string>): PolicyFile {
  return loadPolicyVersion(file, maskKeys).policies;
}

/** A policy file as it was when it was read. */
export interface PolicyVersion {
  readonly policies: PolicyFile;
  /** The same for the same text of the file and of the key sets that it names: 16 hexadecimal digits. */
  readonly hash: string;
}

/**
 * Reads and checks a policy file as {@link loadPolicyFile} does, and keeps what identifies this version of it.
 *
 * @param read how the file and the key sets are read
 * @throws ConfigurationError with everything that is wrong with it
 */
export function loadPolicyVersion(
  file: string,
  maskKeys?: ReadonlySet<string>,
  read: FileReader = readBounded,
): PolicyVersion {
  const texts = new Map<string, Buffer>();
  const keep: FileReader = (path) => {
    const bytes = read(path);
    texts.set(path, bytes);
    return bytes;
  };
  const readKeySet = keySetReader(dirname(file), keep);
  const policies = parsePolicyFile(readPolicyText(file, keep), file, { readKeySet, maskKeys });
  return {
    policies,
    get hash() {
      return hashOf([...texts.values()].map(String));
    },
  };
}

/** Of all that a version of the policies was read from. */
function hashOf(texts: readonly string[]): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, HASH_DIGITS);
}

const HASH_DIGITS = 16;

/**
 * Checks the text of a policy file without opening any other file: a key set that it names counts as empty, so no token
 * of that scope is accepted.
 *
 * @param name of the text, for messages
 * @throws ConfigurationError with every problem in the text
 */
export function parsePolicyText(text: string, name: string): PolicyFile {
  return parsePolicyFile(text, name, { readKeySet: () => undefined, maskKeys: undefined });
}

/**
 * Reads the text of a policy file, without checking it.
 *
 * @throws ConfigurationError if it cannot be read
 */
export function readPolicyText(file: string, read: FileReader = readBounded): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read(file));
  } catch (error) {
    throw unreadableError(file, whyUnreadable(error));
  }
}

/** What a policy file refers to. */
interface Surroundings {
  readonly readKeySet: KeySetReader;
  readonly maskKeys: ReadonlySet<string> | undefined;
}

/** @param file path of the file, for messages */
function parsePolicyFile(text: string, file: string, { readKeySet, maskKeys }: Surroundings): PolicyFile {
  const source = readSource(text);
  if ('problems' in source) throw configurationError(file, source.problems);
  const mistaken = configurationProblem(source.data);
  if (mistaken !== undefined) throw configurationError(file, [located(mistaken, source)]);
  const outline = outlineOf(source.data);
  const policy = policySchema(outline.assetType, maskKeys);
  const result = policyFileSchema(policy, readKeySet).safeParse(source.data, PARSING);
  const right = result.success ? result.data.policies : rightPolicies(outline, policy);
  const ofReferences = checkReferences(outline, right);
  const problems = [...(result.success ? [] : explain(result.error.issues)), ...ofReferences];
  if (result.success && problems.length === 0) return result.data;
  throw configurationError(
    file,
    problems.map((problem) => located(problem, source)),
  );
}

/** The policies that are right by themselves. */
function rightPolicies({ policies }: Outline, schema: z.ZodType<Policy>): Policy[] {
  return policies.flatMap(({ written }) => schema.safeParse(written, PARSING).data ?? []);
}

const COMMENT = '; # begins a comment: put text that begins with # in quotes';

/** A problem with the line and the key that messages show. */
export function located({ place, shown, message }: PlacedProblem, source: Source): Problem {
  const shownPlace = shown === undefined ? place : [...place.slice(0, -1), shown];
  const hint = source.isComment(place) ? COMMENT : '';
  return { line: source.lineOf(place), key: keyOf(shownPlace), message: message + hint };
}
