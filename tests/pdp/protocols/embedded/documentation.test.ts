import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { loadPolicyFile } from '../../../../src/pdp/protocols/embedded/policy-file/load.ts';
import { startService } from '../../../support/service.ts';
import { closeAll } from '../../transport/setup.ts';
import { policiesFrom } from './ask.ts';
import { createIdentityProvider } from './tokens.ts';

/** A code block of the page: its language and what else stands behind the fence, and its text. */
interface Block {
  readonly kind: string;
  readonly text: string;
  readonly line: number;
}

/** An example: a policy file, and what is answered with it. */
interface Example {
  readonly line: number;
  readonly policies: string;
  readonly request: string;
  readonly response: string;
}

const PAGE = readFileSync('docs/policy-file.md', 'utf8');
const EXAMPLES = 'examples/policies';

function blocks(page = PAGE): Block[] {
  return [...page.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)].map(({ 1: kind = '', 2: text = '', index }) => ({
    kind,
    text,
    line: page.slice(0, index).split('\n').length,
  }));
}

/** Every request of the page, with the policy file above it and the response below it. */
function examples(page = PAGE): Example[] {
  const all = blocks(page);
  return all.flatMap(({ kind, text, line }, i) => {
    if (kind !== 'json request') return [];
    const policies = all.slice(0, i).findLast((block) => block.kind === 'yaml');
    const response = all[i + 1];
    if (policies === undefined || response?.kind !== 'json response')
      throw new Error(`line ${line} is no example`);
    return [{ line, policies: policies.text, request: text, response: response.text }];
  });
}

/** Wherever a map with its own keys is wanted, something else. */
const WRONG_MAPS = `
scopes: [x, { clientId: a, jwt: x }]
policies:
  - x
  - { name: P, action: FILTER, when: x, for: x, assets: x }`;

/** The keys that are named where a map with other keys is wanted. */
function keysOf(yaml: string): string[] {
  const { message } = thrownBy(() => policiesFrom(yaml));
  return [...message.matchAll(/a map with the keys (.*)/g)].flatMap(([, keys = '']) => keys.split(', '));
}

function thrownBy(load: () => unknown): Error {
  try {
    load();
  } catch (error) {
    if (Error.isError(error)) return error;
  }
  throw new Error('nothing was thrown');
}

let jwks: string;

beforeAll(async () => {
  ({ jwks } = await createIdentityProvider());
});

afterEach(closeAll);

describe.each([
  ['the policy file', PAGE],
  ['moving from static masks', readFileSync('docs/migration.md', 'utf8')],
])('on the page about %s', (_title, page) => {
  test.each(blocks(page).filter(({ kind }) => kind === 'yaml'))(
    'the policy file on line $line is right',
    ({ text }) => {
      expect(() => policiesFrom(text, { 'keys.json': jwks })).not.toThrow();
    },
  );

  test.each(examples(page))('the request on line $line is answered as the page says', async (example) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'policies-'));
    const policyFile = path.join(directory, 'policies.yaml');
    writeFileSync(policyFile, example.policies);
    writeFileSync(path.join(directory, 'keys.json'), jwks);
    const settings = { maskString: '***', filter: true, filterDefault: 'allow' };
    const { url } = await startService({ policyFile, ...settings });
    rmSync(directory, { recursive: true });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/enforce`, { method: 'POST', headers, body: example.request });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: JSON.parse(example.response),
    });
  });
});

test('the page about the policy file describes all keys, and no others', () => {
  const known = [...keysOf('[]'), ...keysOf(WRONG_MAPS)].filter((key) => key !== 'jwt');
  const described = [...PAGE.matchAll(/^\| `([a-z.]+)`/gim)].map(([, key = '']) => key.replace('jwt.', ''));
  expect(new Set(described)).toEqual(new Set(known));
});

describe('the policy files that are shipped as examples', () => {
  test.each(readdirSync(EXAMPLES).filter((name) => !name.endsWith('_test.yaml')))('%s is right', (name) => {
    expect(() => loadPolicyFile(path.join(EXAMPLES, name))).not.toThrow();
  });
});
