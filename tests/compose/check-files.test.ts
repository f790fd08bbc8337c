import { afterEach, describe, expect, test } from '@jest/globals';
import { checkFiles } from '../../src/compose/check-files.ts';
import { loadConfiguration } from '../../src/config/open.ts';
import { ConfigurationError } from '../../src/yaml/index.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';

afterEach(closeAll);

const REMOTE = 'port: 0\npdpUrl: https://pdp\n';
const MISSING = 'cannot be read: it does not exist';
const NO_TLS = ['tls.certFile names /none.crt', 'tls.keyFile names /none.key'];

/** The problems of the files that a configuration names, each with its line. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const folder = await folderWith({ 'config.yaml': text, 'wrong.yaml': 'policies: [{ name: P }]\n' });
  const configuration = await loadConfiguration(`${folder}/config.yaml`);
  try {
    await checkFiles(configuration, () => Promise.reject(new Error('nothing to log')));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(
      ({ line, key, message }) => `${line}: ${key} ${message.replaceAll(folder, '')}`,
    );
  }
}

/** What is logged about a configuration whose files are right. */
async function warningsOf(text: string): Promise<readonly unknown[]> {
  const folder = await folderWith({ 'config.yaml': text });
  const { logger, sink } = loggerInMemory();
  await checkFiles(await loadConfiguration(`${folder}/config.yaml`), () => Promise.resolve(logger));
  await logger.close();
  return sink.lines.map((line): unknown => JSON.parse(line));
}

describe('the files of a configuration', () => {
  test.each([
    [`${REMOTE}pdpTls.caFile: none.pem\n`, [`3: pdpTls.caFile /none.pem ${MISSING}`]],
    [
      `${REMOTE}tls: { certFile: none.crt, keyFile: none.key }\n`,
      NO_TLS.map((problem) => `3: ${problem}, which ${MISSING}`),
    ],
    [
      `${REMOTE}maskKeys: { a: { file: none.key } }\n`,
      [`3: maskKeys.a.file names /none.key, which ${MISSING}`],
    ],
    ['port: 0\npolicyFile: none.yaml\n', [`2: policyFile names /none.yaml, which ${MISSING}`]],
    [
      'port: 0\npolicyFile: wrong.yaml\nmaskKeys: { a: { file: none.key } }\ntls: { certFile: none.crt, keyFile: none.key }\n',
      [
        `3: maskKeys.a.file names /none.key, which ${MISSING}`,
        ...NO_TLS.map((problem) => `4: ${problem}, which ${MISSING}`),
        '1: policies[0].action is missing: it must be text',
      ],
    ],
  ])('are reported all at once: %j', async (text, problems) => {
    await expect(problemsOf(text)).resolves.toEqual(problems);
  });
});

test.each(['proxy: { port: 1, upstream: "http://app" }', 'extProc: { port: 1 }'])(
  'routes are looked at with %s',
  async (place) => {
    const routes = 'routes: [{ path: /**, pass: true }, { path: /a, refuse: true }]';
    await expect(warningsOf(`${REMOTE}${place}\n${routes}\n`)).resolves.toMatchObject([
      { message: 'Routes are never reached: one above takes all of their requests' },
    ]);
  },
);

const JWT = 'jwt: { issuer: "https://idp", audience: a }';

test('tokens that nobody verifies are warned of', async () => {
  await expect(warningsOf(`${REMOTE}identity: { ${JWT} }\n`)).resolves.toMatchObject([
    { level: 'warn', message: expect.stringMatching(/^No request has its token verified/u) },
  ]);
});

test.each([
  `identity: { ${JWT} }\nproxy: { port: 1, upstream: "http://app" }\notherwise: { pass: true }`,
  `identity: { ${JWT} }\nextProc: { port: 1 }\notherwise: { pass: true }`,
  `identity: { ${JWT} }\npdpProtocol: authzen`,
  `identity: { required: true, ${JWT} }`,
])('tokens that are verified are not: %j', async (text) => {
  await expect(warningsOf(`${REMOTE}${text}\n`)).resolves.toEqual([]);
});
