import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { curlOf, testOf } from '../../playground/src/copies.ts';
import { NEW_WORK, NO_SETTINGS, type Work } from '../../playground/src/work.ts';

const USER = { entityTypeId: 'Agent', entityId: "o'hara", claims: '{ "region": "EU" }' };
const WORK: Work = {
  ...NEW_WORK,
  payload: '{\n\t"data": [ { "name": "it\'s $HOME", "amount": 1.50 } ]\n}\n',
  settings: { ...NO_SETTINGS, root: 'data', filter: 'false' },
};

/** The words of a command, as a shell reads them. */
function wordsOf(command: string): readonly string[] {
  const program = command.replace(/^curl/u, "printf '%s\\0'");
  return execFileSync('sh', ['-c', program], { encoding: 'utf8' }).split('\0');
}

describe('the curl command', () => {
  test('reaches the service with the parts that were typed, whatever quotes they have', () => {
    const words = wordsOf(curlOf(WORK, USER));
    const body = words[words.indexOf('-d') + 1] ?? '';
    expect(words).toContain('http://127.0.0.1:5002/enforce');
    expect(body).toContain('"amount": 1.50');
    expect(JSON.parse(body)).toEqual({
      parameters: { root: 'data', filter: false },
      vendor: { entityTypeId: 'Agent', entityId: "o'hara" },
      json: { data: [{ name: "it's $HOME", amount: 1.5 }] },
    });
  });

  test('sends claims as a token that nobody signed', () => {
    const header = wordsOf(curlOf(WORK, USER)).find((word) => word.startsWith('Authorization')) ?? '';
    const claims = header.split('.')[1] ?? '';
    expect(Buffer.from(claims, 'base64url').toString()).toBe('{ "region": "EU" }');
    expect(curlOf(WORK, { ...USER, claims: '' })).not.toContain('Authorization');
  });
});

describe('the test', () => {
  test('is YAML that says who asks, what for, and what is expected', () => {
    const written = testOf(WORK, USER, { payload: '{\n\t"data": [ { "name": "***", "amount": null } ]\n}' });
    expect(parse(written)).toEqual({
      tests: [
        {
          name: "what Agent o'hara sees",
          as: { entityTypeId: 'Agent', entityId: "o'hara", claims: { region: 'EU' } },
          parameters: { root: 'data', filter: false },
          json: { data: [{ name: "it's $HOME", amount: 1.5 }] },
          expect: { data: [{ name: '***', amount: null }] },
        },
      ],
    });
    expect(written).toContain('"amount": 1.50');
  });

  test('expects an error if there is one', () => {
    expect(parse(testOf(WORK, USER, { error: 'root-not-found' }))).toMatchObject({
      tests: [{ expectError: 'root-not-found' }],
    });
  });
});
