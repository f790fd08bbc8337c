import { expect, test } from '@jest/globals';
import { access, allowed, leaf, when } from '../reference/interpretations/table.ts';
import { agreeOn, PAYLOADS, shortPaths } from './short-paths.ts';

/** Masks `id` under a condition on the path. */
function conditional(operator: string): (path: string) => object {
  const isId = leaf('column', 'EQUALS', 'id');
  return (path) => allowed(when({ AND: [isId, leaf(path, operator, 'z')] }, 'MASK'));
}

test.each([
  ['in a condition', conditional('EQUALS')],
  ['in a negated condition', conditional('NOT_EQUALS')],
  ['of a mask', (path: string) => access(path)],
])(
  'every short path %s is read as the naive reference reads it',
  async (_name, saying) => {
    const questions = shortPaths('ssn').flatMap((path) =>
      PAYLOADS.map((payload) => ({ path, payload, says: saying(path) })),
    );
    const agreed = await Promise.all(questions.map(({ payload, says }) => agreeOn(payload, [says])));
    const differing = questions.filter((_question, at) => agreed[at] !== true);
    expect(differing).toEqual([]);
  },
  120_000,
);
