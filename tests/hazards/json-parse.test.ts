import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';

afterEach(closeAll);

/**
 * Ways of libraries to hand text from outside to `JSON.parse` (nodejs/node#63785), and what the service uses instead:
 *
 * | library       | calls `JSON.parse` in                              | here                                              |
 * | ------------- | -------------------------------------------------- | ------------------------------------------------- |
 * | jose          | `decodeJwt`, `jwtVerify`: header and claims        | `src/core/jwt` reads the claims                   |
 * | jose          | `compactVerify`: the header                        | only a header without escapes: `src/identity`     |
 * | axios         | `transformResponse` of its defaults                | `new Axios` without defaults, bytes as they come  |
 * | express       | `express.json()`, body-parser                      | not used: `src/places/listener` reads bodies      |
 * | undici, fetch | `body.json()`, `response.json()`                   | not used                                          |
 * | jsonpath-plus | nothing, but it reads paths loosely                | not used: `src/core/jwt/claim-path.ts`            |
 * | OpenTelemetry | the JSON exporter, for answers of the collector    | the protobuf exporter, which ignores answers      |
 * | node:cluster  | messages between the processes of the service      | only the service's own words                      |
 */
const FORBIDDEN = [
  /\bJSON\s*\.\s*parse\b/u,
  /\b(?:decodeJwt|jwtVerify|decodeProtectedHeader|createRemoteJWKSet|jwtDecrypt|generalVerify)\b/u,
  /\bexpress\s*\.\s*json\b|body-parser|\bbodyParser\b/u,
  /\baxios\.(?:get|post|request|create)\b|\bimport axios\b/u,
  /\bawait \w+(?:\.body)?\.json\(\)/u,
  /otlp-(?:http|json)|exporter-trace-otlp-http/u,
];

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gsu, '');
}

describe('text from outside', () => {
  test('is never given to JSON.parse, by the service or by a library that would do so', () => {
    expect(SOURCES.length).toBeGreaterThan(100);
    const found = SOURCES.filter((file) => {
      const code = withoutComments(readFileSync(path.join('src', file), 'utf8'));
      return FORBIDDEN.some((pattern) => pattern.test(code));
    });
    expect(found).toEqual([]);
  });

  test.each([
    ['given to JSON.parse', 'export const wrong: unknown = JSON.parse("{}");\n'],
    [
      'copied without members',
      'import _ from "lodash";\nexport const wrong = _.omitBy({ constructor: 1 }, Boolean);\n',
    ],
  ])('cannot be %s unnoticed: the linter refuses it in src', async (_case, source) => {
    const rules = readFileSync('.oxlintrc.json', 'utf8');
    const folder = await folderWith({ '.oxlintrc.json': rules });
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'src', 'wrong.ts'), source);
    const { status, stdout } = spawnSync(path.resolve('node_modules/.bin/oxlint'), ['src'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout).toContain('no-restricted-properties');
  });
});
