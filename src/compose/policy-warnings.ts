import type { Configuration } from '../config/index.ts';
import {
  assetTypesOf,
  doubtfulTexts,
  filtersRecords,
  ordersNumbersAsText,
  overruledPolicies,
  type PolicyFile,
} from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/** How many policies, asset types or texts a line of the log names at most. */
const MOST_NAMED = 10;

/** Says what policies probably do not do as they are meant to. */
type Warning = (log: Logger) => void;

/** The warnings about policies, whatever the configuration. */
export function warningsAbout({ policies, ...names }: PolicyFile): readonly Warning[] {
  const warnings: Warning[] = [];
  const ordered = namesOf(policies.filter(ordersNumbersAsText));
  if (ordered.length > 0)
    warnings.push((log) =>
      log.warn(
        'Policies compare numbers as texts, where 9 is greater than 18; give their conditions a type',
        {
          policies: ordered,
        },
      ),
    );
  const doubtful = policies
    .flatMap((policy) => doubtfulTexts(policy, names).map((doubt) => `${policy.name}: ${doubt}`))
    .slice(0, MOST_NAMED);
  if (doubtful.length > 0)
    warnings.push((log) =>
      log.warn('Policies have texts that are compared as they are, and were probably meant as more', {
        texts: doubtful,
      }),
    );
  const overruled = overruledPolicies(policies)
    .map(({ policy, by }) => `${policy}: ${by}`)
    .slice(0, MOST_NAMED);
  if (overruled.length > 0)
    warnings.push((log) =>
      log.warn('Policies never apply, because others change the same properties first', {
        policies: overruled,
      }),
    );
  return warnings;
}

/** The warnings about policies with a configuration. `test`, `enforce -p` and the playground fit theirs to the policies. */
export function warningsWith(
  { filter, assetType }: Configuration,
  { policies }: PolicyFile,
): readonly Warning[] {
  const warnings: Warning[] = [];
  const idle = filter ? [] : namesOf(policies.filter(({ action }) => filtersRecords(action)));
  if (idle.length > 0)
    warnings.push((log) =>
      log.warn('FILTER policies do nothing unless filter is true, in the configuration or in a request', {
        policies: idle,
      }),
    );
  const types = assetTypesOf(policies);
  if (!types.has(assetType))
    warnings.push((log) =>
      log.warn(
        'No policy is for the asset type of the configuration: requests that name no other are refused',
        {
          assetType,
          assetTypesOfPolicies: [...types].slice(0, MOST_NAMED),
        },
      ),
    );
  return warnings;
}

function namesOf(policies: PolicyFile['policies']): readonly string[] {
  return policies.slice(0, MOST_NAMED).map(({ name }) => name);
}
