import { parseClaimPath } from '../../../../core/index.ts';
import { policyScalar, readPlainYaml } from '../../../../yaml/index.ts';
import {
  callerReferenceIn,
  Doubt,
  isConsistent,
  keysNamed,
  memberOf,
  membersOf,
  objectWith,
  rightAction,
  rightAllOrList,
  rightAssets,
  rightCondition,
  rightEffect,
  rightFlag,
  rightList,
  rightMetadata,
  rightPath,
  rightPlainText,
  rightText,
  unlessInDoubt,
  type Audience,
  type ClaimTest,
  type ConditionValue,
  type Mapper,
  type Mappers,
  type Policy,
  type PolicyFile,
} from '../../../policies/index.ts';
import { DEFAULT_NAMES } from './default-names.ts';
import type { Outline } from './outline.ts';
import { checkReferences } from './references.ts';

const FILE = membersOf(
  'attrName object assetType tokenValidity trustUnverifiedClaims maskShort mappers policies',
);
const POLICY = membersOf(
  'name for except assetType effect object properties action priority when assets metadata',
);
const AUDIENCE = membersOf('entityIds entityTypes claims');
const COUNT = /^\d{1,15}$/;
const LONGEST_NAME = 100;

/**
 * Reads the text of a policy file that is plain and right, in a fraction of the time that a YAML parser and the schema take to
 * load. It reads nothing that the schema refuses, and everything else as the schema does. Files with scopes or tests are not plain.
 *
 * @param maskKeys the names that hashes may use; any if undefined
 * @returns undefined if the file may be wrong: the schema decides, and explains
 */
export function plainPolicyFile(
  text: string,
  maskKeys: ReadonlySet<string> | undefined,
): PolicyFile | undefined {
  const data = readPlainYaml(text, policyScalar);
  return data === undefined ? undefined : unlessInDoubt(() => fileOf(data, maskKeys));
}

function fileOf(data: unknown, maskKeys: ReadonlySet<string> | undefined): PolicyFile {
  const file = objectWith(data, FILE);
  const names = {
    attrName: memberOf(file['attrName'], rightText) ?? DEFAULT_NAMES.attrName,
    object: memberOf(file['object'], rightText) ?? DEFAULT_NAMES.object,
    assetType: memberOf(file['assetType'], rightText) ?? DEFAULT_NAMES.assetType,
  };
  const policies = rightList(file['policies'], (policy) => policyOf(policy, names.assetType, maskKeys));
  const mappers: Mappers = memberOf(file['mappers'], mappersOf) ?? new Map();
  if (checkReferences(outlineOf(names, mappers, policies), policies).length > 0) throw new Doubt();
  return {
    ...names,
    tokenValidity: memberOf(file['tokenValidity'], countOf) ?? 0,
    trustUnverifiedClaims: memberOf(file['trustUnverifiedClaims'], rightFlag) ?? false,
    maskShort: memberOf(file['maskShort'], rightFlag) ?? true,
    mappers,
    policies,
  };
}

function outlineOf(
  names: Pick<Outline, 'attrName' | 'object' | 'assetType'>,
  mappers: Mappers,
  policies: readonly Policy[],
): Outline {
  return {
    ...names,
    scopes: [],
    mappers: Object.fromEntries(
      Array.from(mappers, ([type, byName]) => [
        type,
        Object.fromEntries(Array.from(byName, ([name, paths]) => [name, Object.fromEntries(paths)])),
      ]),
    ),
    policies: policies.map(({ name, assetType }) => ({ written: undefined, name, scopes: [], assetType })),
  };
}

function policyOf(
  written: unknown,
  defaultAssetType: string,
  maskKeys: ReadonlySet<string> | undefined,
): Policy {
  const policy = objectWith(written, POLICY);
  const read: Policy = {
    name: nameOf(policy['name']),
    for: memberOf(policy['for'], audiencesOf),
    except: memberOf(policy['except'], audiencesOf),
    assetType: memberOf(policy['assetType'], rightText) ?? defaultAssetType,
    effect: memberOf(policy['effect'], rightEffect) ?? 'allowed',
    object: memberOf(policy['object'], rightPath),
    properties: memberOf(policy['properties'], (list) => rightAllOrList(list, rightPath)),
    action: rightAction(policy['action'], keysNamed(maskKeys)),
    priority: memberOf(policy['priority'], countOf),
    when: memberOf(policy['when'], (tree) => rightCondition(tree, conditionValue)),
    assets: memberOf(policy['assets'], rightAssets),
    metadata: memberOf(policy['metadata'], rightMetadata) ?? {},
  };
  if (!isConsistent(read)) throw new Doubt();
  return read;
}

function nameOf(value: unknown): string {
  const name = rightText(value);
  if (name.length > LONGEST_NAME) throw new Doubt();
  return name;
}

function countOf(value: unknown): number {
  if (typeof value !== 'string' || !COUNT.test(value)) throw new Doubt();
  return Number(value);
}

function conditionValue(written: unknown): ConditionValue {
  if (typeof written === 'boolean') return String(written);
  if (typeof written !== 'string') throw new Doubt();
  if (!written.includes('${')) return written;
  const reference = callerReferenceIn(written);
  if (reference === undefined) throw new Doubt();
  return reference;
}

function audiencesOf(written: unknown): readonly Audience[] {
  return Array.isArray(written) ? rightList(written, audienceOf) : [audienceOf(written)];
}

function audienceOf(written: unknown): Audience {
  const described = objectWith(written, AUDIENCE);
  if (Object.keys(described).length === 0) throw new Doubt();
  return {
    entityIds: memberOf(described['entityIds'], (list) => rightList(list, rightPlainText)),
    entityTypes: memberOf(described['entityTypes'], (list) => rightList(list, rightPlainText)),
    claims: memberOf(described['claims'], claimsOf),
  };
}

function claimsOf(written: unknown): readonly ClaimTest[] {
  const entries = entriesOf(written);
  if (entries.length === 0) throw new Doubt();
  return entries.map(([selector, values]) => {
    const claim = parseClaimPath(selector);
    if (claim === undefined) throw new Doubt();
    return { claim, values: rightList(values, claimValue) };
  });
}

function claimValue(written: unknown): string {
  return typeof written === 'boolean' ? String(written) : rightPlainText(written);
}

function mappersOf(written: unknown): Mappers {
  return mapOf(written, (byName) => mapOf(byName, (paths): Mapper => mapOf(paths, rightPath)));
}

function mapOf<T>(written: unknown, read: (value: unknown) => T): ReadonlyMap<string, T> {
  return new Map(entriesOf(written).map(([key, value]) => [key, read(value)]));
}

function entriesOf(written: unknown): readonly [string, unknown][] {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) throw new Doubt();
  return Object.entries(written);
}
