import lodash from 'lodash';
import { DEFAULT_NAMES } from '../../../policies/index.ts';

/**
 * The names in a policy file, as far as they can be read, so that relations between its parts can be checked even if
 * one of the parts is wrong. An unreadable name is empty.
 */
export interface Outline {
  readonly attrName: string;
  readonly object: string;
  readonly assetType: string;
  readonly scopes: readonly { readonly clientId: string }[];
  /** By asset type and by the name of the mapper. */
  readonly mappers: Readonly<Record<string, Readonly<Record<string, WrittenMap>>>>;
  readonly policies: readonly OutlinedPolicy[];
}

interface OutlinedPolicy {
  readonly written: unknown;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly assetType: string | undefined;
}

type WrittenMap = Readonly<Record<string, unknown>>;

/** By hand: a schema that catches everything takes some milliseconds when it is first used. */
export function outlineOf(data: unknown): Outline {
  const { attrName, object, assetType, scopes, mappers, policies } = mapIn(data);
  return {
    attrName: textIn(attrName, DEFAULT_NAMES.attrName),
    object: textIn(object, DEFAULT_NAMES.object),
    assetType: textIn(assetType, DEFAULT_NAMES.assetType),
    scopes: listIn(scopes).map((scope) => ({ clientId: textIn(mapIn(scope)['clientId'], '') })),
    mappers: lodash.mapValues(mapIn(mappers), (byName) => lodash.mapValues(mapIn(byName), mapIn)),
    policies: listIn(policies).map(outlineOfPolicy),
  };
}

function outlineOfPolicy(written: unknown): OutlinedPolicy {
  const { name, scopes, assetType } = mapIn(written);
  return {
    written,
    name: textIn(name, ''),
    scopes: listIn(scopes).map((scope) => textIn(scope, '')),
    assetType: textIn(assetType, undefined),
  };
}

function mapIn(value: unknown): WrittenMap {
  return lodash.isPlainObject(value) ? Object(value) : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textIn<Otherwise>(value: unknown, otherwise: Otherwise): string | Otherwise {
  return typeof value === 'string' ? value : otherwise;
}
