import { expect, test } from '@jest/globals';
import { ALWAYS, type FilterRule } from '../../../src/core/index.ts';
import { fulfilledTogether } from '../../../src/pdp/protocols/authzen/together.ts';

/** Assets that count how often one is looked up among them. */
class CountingSet extends Set<string> {
  lookups = 0;

  override has(id: string): boolean {
    this.lookups++;
    return super.has(id);
  }
}

function keeping(assetIds: ReadonlySet<string>): { readonly filter: FilterRule } {
  const source = { place: [], action: 'FILTER', priority: undefined, effect: 'allowed' } as const;
  return { filter: { source, effect: 'allow', policies: [], condition: ALWAYS, assetIds } };
}

test.each([
  ['before', 0],
  ['after', 1],
])('many assets are not looked up for each rule of an obligation %s them', (_name, at) => {
  const many = new CountingSet(Array.from({ length: 10_000 }, (_one, i) => `${i}`));
  const few = Array.from({ length: 100 }, (_one, i) => new CountingSet([`${i}`, 'other']));
  const obligations = [few.map(keeping)].toSpliced(at, 0, [keeping(many)]);
  const found = fulfilledTogether(obligations, []);
  const ids = found.flatMap((one) => ('filter' in one ? Array.from(one.filter.assetIds ?? []) : []));
  expect(ids).toEqual(few.map((_one, i) => `${i}`));
  expect([many, ...few].reduce((sum, { lookups }) => sum + lookups, 0)).toBeLessThanOrEqual(200);
});
