import { listOf, memberOfObject, stringOrNothing, stringsOf } from './decision.ts';
import { stringOf, type Json } from './model.ts';
import { pathOfDecision, type Path } from './path.ts';
import { requireOfDecision } from './refusal.ts';

/** A policy of a rule, with the property that identifies records in the log if it is in dry run. */
export interface Policy {
  readonly name: string;
  readonly identifier: { readonly text: string; readonly path: Path } | undefined;
}

/** The policies of an entry of the decision or of one of its actions. */
export function policiesOf(holder: Json): Policy[] {
  return ['policies', 'accessPolicies'].flatMap((name) =>
    listOf(memberOfObject(holder, name)).map(parsePolicy),
  );
}

/** A rule is in dry run if all of its policies are. */
export function isDryRun(policies: readonly Policy[]): boolean {
  return policies.length > 0 && policies.every(({ identifier }) => identifier !== undefined);
}

function parsePolicy(policy: Json): Policy {
  const name = memberOfObject(policy, 'name') ?? memberOfObject(policy, 'policyName');
  return {
    name: stringOrNothing(name) ?? 'unknown',
    identifier: parseIdentifier(dryRunValues(policy)),
  };
}

/** An object has the key once, and a list may have it several times. */
function dryRunValues(policy: Json): readonly Json[] {
  const metadata = memberOfObject(policy, 'metadata');
  if (metadata === undefined) return [];
  if (metadata.kind !== 'array') {
    const value = memberOfObject(metadata, 'DRY_RUN');
    return value === undefined ? [] : [value];
  }
  return listOf(metadata)
    .filter((entry) => stringOrNothing(memberOfObject(entry, 'key')) === 'DRY_RUN')
    .map((entry) => memberOfObject(entry, 'value') ?? stringOf(''));
}

function parseIdentifier(values: readonly Json[]): Policy['identifier'] {
  if (values.length === 0) return undefined;
  const [text = '', ...more] = values.flatMap(stringsOf);
  requireOfDecision(more.length === 0, 'a dry run by several properties');
  return { text, path: pathOfDecision(text) };
}
