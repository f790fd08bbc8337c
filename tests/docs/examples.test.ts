import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { enforceExample, outcomeShown } from './enforce-example.ts';
import { examplesIn } from './example.ts';

afterEach(closeAll);

describe.each(['docs/enforcement.md', 'docs/pdp-contract.md'])('%s', (file) => {
  const { configuration, examples } = examplesIn(readFileSync(file, 'utf8'));

  test('has examples, each with an outcome', () => {
    expect(examples.length).toBeGreaterThan(0);
    const open = examples.filter(({ result, problem, question }) => !(result ?? problem ?? question));
    expect(open).toEqual([]);
  });

  test.each(examples)('shows below "$heading" in line $line what the service does', async (example) => {
    expect(await enforceExample(example, configuration)).toMatchObject(outcomeShown(example));
  });
});
