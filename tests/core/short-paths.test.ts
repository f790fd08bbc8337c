import { expect, test } from '@jest/globals';
import { access, allowed, leaf, when } from '../reference/interpretations/table.ts';
import { agreeOn, PAYLOADS, shortPaths } from './short-paths.ts';

/** Of properties, and of what these are in. */
const ofProperties = shortPaths('ssn');
const allPaths = [...ofProperties, ...shortPaths()];

/** Masks `id` under a condition on the path. */
function conditional(operator: string): (path: string) => object {
  const isId = leaf('column', 'EQUALS', 'id');
  return (path) => allowed(when({ AND: [isId, leaf(path, operator, 'z')] }, 'MASK'));
}

test.each([
  ['in a condition', allPaths, conditional('EQUALS')],
  ['in a negated condition', allPaths, conditional('NOT_EQUALS')],
  ['of a mask', ofProperties, (path: string) => access(path)],
])(
  'every short path %s is read as the naive reference reads it',
  async (_name, paths, saying) => {
    const questions = paths.flatMap((path) =>
      PAYLOADS.map((payload) => ({ path, payload, says: saying(path) })),
    );
    const agreed = await Promise.all(questions.map(({ payload, says }) => agreeOn(payload, [says])));
    const differing = questions.filter((_question, at) => agreed[at] !== true);
    expect(differing).toEqual([]);
  },
  120_000,
);
