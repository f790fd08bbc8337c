import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { RICH_DOCUMENTS } from '../../faults/rich-documents.ts';

function validator(file: string) {
  return new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(file, 'utf8')));
}

describe('the schema of the rules document', () => {
  const isValid = validator('docs/rules-document.schema.json');

  test('takes a document that makes use of every member', () => {
    const [rich] = RICH_DOCUMENTS;
    const { result }: { result: { rules: unknown } } = JSON.parse(JSON.stringify(rich?.decision));
    isValid({ rules: result.rules });
    expect(isValid.errors).toBeNull();
  });

  test.each([
    ['without rules', {}],
    ['with an unknown member', { rules: [{ action: 'FILTER', wehn: {} }] }],
    ['with a rule without an action', { rules: [{ properties: ['a'] }] }],
    ['with a priority that is text', { rules: [{ properties: ['a'], action: 'MASK', priority: '1' }] }],
  ])('refuses a document %s', (_case, document) => {
    expect(isValid(document)).toBe(false);
  });
});

test('the schema of the policy file takes the policies of the demonstration', () => {
  const isValid = validator('docs/policy-file.schema.json');
  isValid(parse(readFileSync('examples/policies/demo.yaml', 'utf8')));
  expect(isValid.errors).toBeNull();
});
