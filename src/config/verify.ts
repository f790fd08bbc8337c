import type { Problem } from './problem.ts';
import type { Configuration } from './schema.ts';

/** Whether a key is given, whatever its value is worth: what is wrong with the value is told apart from this. */
type Given = (key: keyof Configuration) => boolean;

interface Rule {
  readonly key: keyof Configuration | '';
  readonly isBroken: (given: Given) => boolean;
  readonly message: string;
}

/** What must hold between keys (specification 2.4). */
const RULES: readonly Rule[] = [
  {
    key: '',
    isBroken: (given) => !given('pdpUrl') && !given('pdpHost') && !given('policyFile'),
    message:
      'No PDP is configured: give pdpUrl or pdpHost for a remote one, or policyFile for the embedded one.',
  },
  {
    key: 'policyFile',
    isBroken: (given) => given('policyFile') && (given('pdpUrl') || given('pdpHost')),
    message: 'configures the embedded PDP beside a remote one (pdpUrl or pdpHost); keep one of them',
  },
  {
    key: 'pdpPort',
    isBroken: (given) => given('pdpPort') && !given('pdpHost'),
    message: 'belongs to pdpHost, which is not given; in pdpUrl, the port stands in the URL',
  },
];

/** The problems between the keys that are given. */
export function verifyKeys(given: Given): readonly Problem[] {
  return RULES.filter(({ isBroken }) => isBroken(given)).map(({ key, message }) => ({ key, message }));
}
