import type { CalculationType } from '../../port.ts';
import { accessEntries } from './access.ts';
import { isFor } from './audience.ts';
import type { Caller } from './caller.ts';
import type { Decision } from './decision.ts';
import { selectMappers } from './names.ts';
import type { Policy, PolicyFile } from './policy.ts';
import { privilegeEntries } from './privileges.ts';
import { asksFor, type Question } from './question.ts';
import { PdpRefusal, quoted } from './refusal.ts';
import type { Terms } from './terms.ts';

/**
 * What the policies say to a question, in the form of a PDP's answer (enforcement §5 and §8). Entries come in the order
 * of the policies in the file.
 *
 * @throws PdpRefusal where the question cannot be answered without guessing
 */
export function evaluate(
  file: PolicyFile,
  calculationType: CalculationType,
  question: Question,
  caller: Caller,
): Decision {
  const { policies, terms } = applicable(file, calculationType, question, caller);
  const privilegesOf = (effect: Policy['effect']) =>
    policies
      .filter((policy) => policy.effect === effect)
      .flatMap((policy) => privilegeEntries(policy, terms));
  const access = policies.flatMap((policy) => accessEntries(policy, terms));
  const privileges = { allowed: privilegesOf('allowed'), denied: privilegesOf('denied') };
  return { tokenValidity: file.tokenValidity, maskShort: file.maskShort, response: [{ access, privileges }] };
}

/** The policies that apply to a question, and what they are written with. */
export interface Applicable {
  readonly policies: readonly Policy[];
  readonly terms: Terms;
}

/**
 * The policies that apply to a question, in the order of the file.
 *
 * @throws PdpRefusal if the question cannot be answered without guessing
 */
export function applicable(
  file: PolicyFile,
  calculationType: CalculationType,
  question: Question,
  caller: Caller,
): Applicable {
  mustKnowAssetTypes(file, question);
  const terms = { file, question, caller, mappers: selectMappers(file, question) };
  const policies = file.policies.filter(
    (policy) => isAskedFor(policy, calculationType, question) && isFor(policy, caller),
  );
  return { policies, terms };
}

/** A type that no policy is for is probably misspelt: a decision without rules would show everything. */
function mustKnowAssetTypes({ policies }: PolicyFile, { resourceTypes = [] }: Question): void {
  const known = new Set(policies.flatMap(({ assetType, assets }) => [assetType, assets?.type]));
  const unknown = resourceTypes.find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  const detail = `No policy is for the asset type ${quoted(unknown.name)}.`;
  throw new PdpRefusal(400, detail, [{ pointer: '', detail }]);
}

/** Policies about assets answer in context only; the others answer in both calculations. */
function isAskedFor(
  { assets, assetType }: Policy,
  calculationType: CalculationType,
  question: Question,
): boolean {
  if (assets === undefined) return asksFor(question, assetType);
  return calculationType === 'context' && asksFor(question, assets.type);
}
