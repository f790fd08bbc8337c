import type * as z from 'zod';
import {
  closed,
  count,
  DEFAULT_NAMES,
  flag,
  listOf,
  mapOf,
  type Mappers,
  type Policy,
  type PolicyFile,
  propertyPath,
  text,
} from '../../../policies/index.ts';
import type { KeySetReader } from './key-set-file.ts';
import { scopeSchema } from './scope-schema.ts';
import { testsSchema } from './tests-schema.ts';

/** A file is parsed once: that takes less time than to make code for it, as zod does otherwise. */
export const PARSING = { jitless: true };

const mappers = mapOf(mapOf(mapOf(propertyPath))).transform((byAssetType): Mappers =>
  mapped(byAssetType, (byName) => mapped(byName, (paths) => new Map(Object.entries(paths)))),
);

/** The schema of a policy file, but for what holds between its parts. */
export function policyFileSchema(policy: z.ZodType<Policy>, readKeySet: KeySetReader): z.ZodType<PolicyFile> {
  return closed({
    attrName: text.default(DEFAULT_NAMES.attrName),
    object: text.default(DEFAULT_NAMES.object),
    assetType: text.default(DEFAULT_NAMES.assetType),
    tokenValidity: count.default(0),
    trustUnverifiedClaims: flag.default(false),
    maskShort: flag.default(true),
    scopes: listOf(scopeSchema(readKeySet)).optional(),
    mappers: mappers.default(new Map()),
    policies: listOf(policy),
    tests: testsSchema.optional(),
  });
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): ReadonlyMap<string, To> {
  return new Map(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
