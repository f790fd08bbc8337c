import { afterEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parse } from 'yaml';
import { readAnswer } from '../../playground/src/answer.ts';
import { curlOf, testOf, type Outcome } from '../../playground/src/copies.ts';
import { explainRequest } from '../../playground/src/request.ts';
import { NEW_WORK, NO_SETTINGS, type User, type Work } from '../../playground/src/work.ts';
import { examples } from '../../scripts/playground/examples.ts';
import { openSource } from '../../src/compose/playground.ts';
import { KEYS_OF_NAMES, openTestPorts } from '../../src/compose/testing.ts';
import { explainer } from '../../src/places/playground/index.ts';
import { runTestFiles } from '../../src/policy-tests/index.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';

afterEach(closeAll);

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

  test('says who chooses the data mapper', () => {
    const settings = { ...WORK.settings, mapper: 'branch-v2' };
    expect(parse(testOf({ ...WORK, settings }, USER, { error: 'x' }))).toMatchObject({
      tests: [{ vendor: { environment: { resourceFullPath: ['branch-v2'] } } }],
    });
  });

  test('notes a setting that tests do not have', () => {
    const settings = { ...WORK.settings, filterDefault: 'allow' };
    expect(testOf({ ...WORK, settings }, USER, { error: 'x' })).toMatch(/^# .*filterDefault: allow/u);
    expect(testOf(WORK, USER, { error: 'x' })).toMatch(/^tests:/u);
  });

  test('expects an error if there is one', () => {
    expect(parse(testOf(WORK, USER, { error: 'root-not-found' }))).toMatchObject({
      tests: [{ expectError: 'root-not-found' }],
    });
  });
});

const EVERYTHING: Work = {
  ...NEW_WORK,
  policies: `policies:
  - { name: Hash, properties: [mail], action: hash(pepper) }
  - { name: Europe, properties: [name], for: { claims: { $.region: [EU] } }, action: first(1) }
`,
  payload: String.raw`{ "name": "Ann \ud83d\ude00\/", "mail": "a@b.c", "n": 1.50, "e": 1e400, "": [], "a: b": "# no" }`,
  users: [
    {
      entityTypeId: 'Agent',
      entityId: 'jane',
      claims: '{ "region": "EU", "n": 12345678901234567890 }',
    },
    { entityTypeId: '', entityId: 'x', claims: '' },
  ],
};
const SCOPED: Work = {
  ...NEW_WORK,
  policies: `scopes:
  - { clientId: web, clientSecret: s1 }
  - { clientId: app, clientSecret: s2 }
policies:
  - { name: Web, scopes: [web], properties: [name], action: first(1) }
  - { name: App, scopes: [app], properties: [name], action: last(1) }
`,
  payload: '{ "name": "Ann" }',
  users: [
    { entityTypeId: 'Agent', entityId: 'jane', claims: '', clientId: 'web' },
    { entityTypeId: 'Agent', entityId: 'jane', claims: '', clientId: 'app' },
  ],
};

async function outcomeOf(work: Work, user: User): Promise<Outcome> {
  const explain = explainer({ open: openSource, keys: KEYS_OF_NAMES });
  const chunks = await explain(Buffer.from(explainRequest(work, user)), new AbortController().signal);
  const answer = readAnswer(Buffer.concat(chunks).toString(), work.policies);
  if ('payload' in answer) return { payload: answer.payload };
  return { error: answer.problems[0]?.code ?? 'no code' };
}

const OF_POLICIES = [
  ...examples().filter(({ work }) => work.source === 'policies'),
  { title: 'hashes, claims, escapes and numbers', work: EVERYTHING },
  { title: 'scopes', work: SCOPED },
];

test('each scope of a policy file can be entered, without its secret', async () => {
  expect(await Promise.all(SCOPED.users.map((user) => outcomeOf(SCOPED, user)))).toEqual([
    { payload: '{ "name": "A**" }' },
    { payload: '{ "name": "**n" }' },
  ]);
});

describe('a copied test', () => {
  test.each(OF_POLICIES.map(({ title, work }) => [title, work] as const))(
    'passes when it is run: %s',
    async (_title, work) => {
      const [first, second] = work.users;
      const files = {
        'policies.yaml': work.policies,
        'first.yaml': testOf(work, first, await outcomeOf(work, first)),
        'second.yaml': testOf(work, second, await outcomeOf(work, second)),
      };
      const folder = await folderWith(files);
      const [policies = '', ...tests] = Object.keys(files).map((file) => path.join(folder, file));
      const { files: run } = await runTestFiles(policies, tests, openTestPorts);
      expect(run.flatMap(({ results }) => results.map(({ failure }) => failure))).toEqual([
        undefined,
        undefined,
      ]);
    },
  );
});
