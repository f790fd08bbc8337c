import type { Configuration } from '../config/index.ts';
import { assetTypesOf, filtersRecords, ordersNumbersAsText, type PolicyFile } from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/** How many policies, or asset types, a line of the log names at most. */
const MOST_NAMED = 10;

/** What policies probably do not do as they are meant to: a line of the log. */
interface Doubt {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The doubts about policies, whatever the configuration. */
export function doubtsAbout({ policies }: PolicyFile): readonly Doubt[] {
  const ordered = namesOf(policies.filter(ordersNumbersAsText));
  if (ordered.length === 0) return [];
  const message =
    'Policies compare numbers as texts, where 9 is greater than 18; give their conditions a type';
  return [{ message, fields: { policies: ordered } }];
}

/** The doubts about policies with a configuration. `test`, `enforce -p` and the playground fit theirs to the policies. */
export function doubtsWith({ filter, assetType }: Configuration, { policies }: PolicyFile): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const idle = filter ? [] : namesOf(policies.filter(({ action }) => filtersRecords(action)));
  if (idle.length > 0)
    doubts.push({
      message: 'FILTER policies do nothing unless filter is true, in the configuration or in a request',
      fields: { policies: idle },
    });
  const types = assetTypesOf(policies);
  if (!types.has(assetType))
    doubts.push({
      message:
        'No policy is for the asset type of the configuration: requests that name no other are refused',
      fields: { assetType, assetTypesOfPolicies: [...types].slice(0, MOST_NAMED) },
    });
  return doubts;
}

export function warnOfPolicies(doubts: readonly Doubt[], log: Logger): void {
  for (const { message, fields } of doubts) log.warn(message, fields);
}

function namesOf(policies: PolicyFile['policies']): readonly string[] {
  return policies.slice(0, MOST_NAMED).map(({ name }) => name);
}
