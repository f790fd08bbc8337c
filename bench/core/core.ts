import { createSecretKey } from 'node:crypto';
import { HASH_KEYS } from '../../tests/reference/keys.ts';
import { Plans } from '../../src/enforcement/plans.ts';
import { findRoots } from '../../src/enforcement/roots.ts';
import { TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { KnownRules } from '../../src/pdp/decisions/resolution/known-rules.ts';
import { maskPayload } from '../../src/core/mask.ts';

/** How the service is configured for what is measured. */
export const SETTINGS = {
  assetType: 'columns',
  attrName: 'column',
  object: undefined,
  filter: true,
  filterDefault: 'allow',
  protectedObject: undefined,
  maskString: '***',
  maskShort: false,
} as const;

export const MAX_DEPTH = 512;

/** What the service's own observer is told it counts; here it is told, and nothing counts. */
const OBSERVER = {
  record: () => undefined,
  changed: () => undefined,
  removed: () => undefined,
  skipped: () => undefined,
  followsDryRuns: false,
  unreadable: () => undefined,
};

const PLANS = new Plans();
const KNOWN = new KnownRules();
const KEYS = new Map([...HASH_KEYS].map(([name, key]) => [name, { current: createSecretKey(key) }]));

/**
 * The core of the service, from the payload's bytes to those of the answer: what `src/enforcement/enforce.ts` does once a request
 * is there and the PDP has answered. As there, a decision is compiled once, and known by its bytes when it comes again.
 */
export function enforceCore(bytes: Buffer, decision: Buffer, plans = PLANS): readonly Buffer[] {
  const doc = scan(bytes, MAX_DEPTH);
  const roots = findRoots({ doc, node: TOP }, undefined, undefined);
  const { plan } = plans.compile(decisionFrom(decision, SETTINGS, KEYS, KNOWN), SETTINGS, roots.frame);
  return maskPayload({
    doc,
    payload: TOP,
    roots: roots.places,
    plan,
    assetId: undefined,
    observer: OBSERVER,
  });
}
