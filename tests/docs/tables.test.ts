import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { parsePath } from '../../src/core/paths/parse.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { compact } from '../reference/print.ts';
import { call, enforcing } from '../support/caller.ts';
import { startEnforcement } from '../support/service.ts';
import { codeIn, rowsUnder } from './markdown.ts';

const PATHS = readFileSync('docs/path-syntax.md', 'utf8');
const ENFORCEMENT = readFileSync('docs/enforcement.md', 'utf8');

afterEach(closeAll);

/** What becomes of a payload when one action is done to the property at a path. */
async function masked(payload: string, property: string, action: string, root?: string): Promise<string> {
  const entry = { resourceType: 'columns', path: property, actions: [{ action }] };
  const { port } = await startEnforcement({ body: JSON.stringify({ response: [{ access: [entry] }] }) });
  return (await call(port, { body: enforcing(payload, { parameters: { root } }) })).text;
}

const question = z.object({ assetList: z.array(z.object({ path: z.string() })) });

/** What is read at a path, as the PDP is told. */
async function read(payload: string, assetId: string): Promise<readonly string[]> {
  const { port, pdp } = await startEnforcement();
  const parameters = { calculationType: 'context', assetId, protectedObject: 'Asset' };
  await call(port, { body: enforcing(payload, { parameters }) });
  return question.parse(JSON.parse(String(pdp.requests[0]?.body))).assetList.map(({ path }) => path);
}

function casesUnder(page: string, ...titles: readonly string[]) {
  return rowsUnder(page, ...titles).map(({ cells, line }) => {
    const [first = '', second = '', third = ''] = cells.map(codeIn);
    return { line, first, second, third };
  });
}

describe('docs/path-syntax.md', () => {
  test.each(casesUnder(PATHS, 'Path', 'Payload', 'Masked'))(
    'tells in line $line what $first targets',
    async ({ first: path, second: payload, third: expected }) => {
      expect(compact(await masked(payload, path, 'MASK'))).toBe(expected);
    },
  );

  test.each(casesUnder(PATHS, 'Path', 'Payload', 'Masked with the root `rows`'))(
    'tells in line $line what $first targets below a root',
    async ({ first: path, second: payload, third: expected }) => {
      expect(compact(await masked(payload, path, 'MASK', 'rows'))).toBe(expected);
    },
  );

  test.each(casesUnder(PATHS, 'Path', 'Payload', 'Read'))(
    'tells in line $line what $first reads',
    async ({ first: path, second: payload, third: expected }) => {
      expect(await read(payload, path)).toEqual(JSON.parse(expected));
    },
  );

  test.each(casesUnder(PATHS, 'Path', 'Because of'))(
    'tells in line $line why $first is refused',
    ({ first: path, second: reason }) => {
      expect(() => parsePath(path)).toThrow(reason);
    },
  );
});

describe('docs/enforcement.md', () => {
  test.each(casesUnder(ENFORCEMENT, 'Action', '`"1234567890"`'))(
    'tells in line $line what $first leaves visible of a text',
    async ({ first: action, second: expected }) => {
      expect(await masked('{"v":"1234567890"}', 'v', action)).toBe(`{"v":${expected}}`);
    },
  );

  test.each(casesUnder(ENFORCEMENT, 'Action', 'Before', 'After'))(
    'tells in line $line what $first makes of $second',
    async ({ first: action, second: before, third: after }) => {
      expect(await masked(`{"v":${before}}`, 'v', action)).toBe(`{"v":${after}}`);
    },
  );
});
