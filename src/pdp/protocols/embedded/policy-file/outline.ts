import * as z from 'zod';
import { DEFAULT_NAMES, PARSING } from './file-schema.ts';

const name = z.string().catch('');
const names = z.array(name).catch([]);
const mapper = z.record(z.string(), z.unknown()).catch({});

const policyNames = z
  .object({ name, scopes: names, assetType: z.string().optional().catch(undefined) })
  .catch({ name: '', scopes: [] });

const outlineSchema = z.object({
  attrName: z.string().catch(DEFAULT_NAMES.attrName),
  object: z.string().catch(DEFAULT_NAMES.object),
  assetType: z.string().catch(DEFAULT_NAMES.assetType),
  scopes: z.array(z.object({ clientId: name }).catch({ clientId: '' })).catch([]),
  mappers: z.record(z.string(), z.record(z.string(), mapper).catch({})).catch({}),
  policies: z
    .array(z.unknown().transform((written) => ({ written, ...policyNames.parse(written, PARSING) })))
    .catch([]),
});

/**
 * The names in a policy file, as far as they can be read, so that relations between its parts can be checked even if
 * one of the parts is wrong. An unreadable name is empty.
 */
export type Outline = z.infer<typeof outlineSchema>;

export function outlineOf(data: unknown): Outline {
  return outlineSchema.catch(() => outlineSchema.parse({}, PARSING)).parse(data, PARSING);
}
