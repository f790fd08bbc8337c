import { listOf, memberOfObject, stringsOf } from './decision.ts';
import { pathOfDecision, type Path } from './path.ts';
import { requireOfDecision } from './refusal.ts';

/** A policy behind a rule, with the property that identifies records in the log where it is in dry run. */
export interface Policy {
  readonly name: string;
  readonly identifier: { readonly text: string; readonly path: Path } | undefined;
}

/** The policies of an entry of the decision or of one of its actions (enforcement §5). */
export function policiesOf(holder: unknown): Policy[] {
  return ['policies', 'accessPolicies'].flatMap((name) =>
    listOf(memberOfObject(holder, name)).map(parsePolicy),
  );
}

/** A rule is in dry run when every policy behind it is. */
export function isDryRun(policies: readonly Policy[]): boolean {
  return policies.length > 0 && policies.every(({ identifier }) => identifier !== undefined);
}

function parsePolicy(policy: unknown): Policy {
  const name = memberOfObject(policy, 'name') ?? memberOfObject(policy, 'policyName');
  return {
    name: typeof name === 'string' ? name : 'unknown',
    identifier: parseIdentifier(dryRunValue(policy)),
  };
}

function dryRunValue(policy: unknown): unknown {
  const metadata = memberOfObject(policy, 'metadata');
  if (metadata === undefined) return undefined;
  if (!Array.isArray(metadata)) return memberOfObject(metadata, 'DRY_RUN');
  const entry: unknown = metadata.find(
    (candidate: unknown) => memberOfObject(candidate, 'key') === 'DRY_RUN',
  );
  return entry === undefined ? undefined : (memberOfObject(entry, 'value') ?? '');
}

function parseIdentifier(value: unknown): Policy['identifier'] {
  if (value === undefined) return undefined;
  const [text = '', ...more] = stringsOf(value);
  requireOfDecision(more.length === 0, 'a dry run by several properties');
  return { text, path: pathOfDecision(text) };
}
