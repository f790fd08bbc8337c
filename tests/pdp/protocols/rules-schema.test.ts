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

describe('the schema of the policy file', () => {
  const isValid = validator('docs/policy-file.schema.json');

  test('takes the policies of the demonstration', () => {
    isValid(parse(readFileSync('examples/policies/demo.yaml', 'utf8')));
    expect(isValid.errors).toBeNull();
  });

  test('takes identifiers that are numbers, as the file may have them', () => {
    const policy = {
      name: 'P',
      for: { entityIds: [7], entityTypes: [1] },
      assets: { type: 'Account', ids: ['a1', 7] },
      action: 'FILTER',
    };
    isValid({ policies: [policy] });
    expect(isValid.errors).toBeNull();
  });

  test('has every setting of the documentation', () => {
    const settings = /\n## Settings\n\n(?<table>(?:\|.*\n)+)/u;
    const { table = '' } = settings.exec(readFileSync('docs/policy-file.md', 'utf8'))?.groups ?? {};
    const documented = Array.from(table.matchAll(/^\| `(?<key>\w+)`/gmu), ([, key]) => String(key));
    const { properties } = JSON.parse(readFileSync('docs/policy-file.schema.json', 'utf8'));
    expect(Object.keys(properties).toSorted()).toEqual(documented.toSorted());
  });
});
