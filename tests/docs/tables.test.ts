import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { parsePath } from '../../src/core/paths/parse.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { compact } from '../reference/print.ts';
import { call, enforcing } from '../support/caller.ts';
import { startEnforcement } from '../support/service.ts';
import { codeIn, rowsUnder } from './markdown.ts';

const PATHS = readFileSync('docs/path-syntax.md', 'utf8');
const MASKS = readFileSync('docs/masks.md', 'utf8');
const ENFORCEMENT = readFileSync('docs/enforcement.md', 'utf8');

afterEach(closeAll);

/** What becomes of a payload when one action is done to the property at a path. */
async function masked(
  payload: string,
  property: string,
  action: string,
  { root, config = {} }: { readonly root?: string; readonly config?: Readonly<Record<string, unknown>> } = {},
): Promise<string> {
  const entry = { resourceType: 'columns', path: property, actions: [{ action }] };
  const body = JSON.stringify({ response: [{ access: [entry] }] });
  const { port } = await startEnforcement({ body }, config);
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
      expect(compact(await masked(payload, path, 'MASK', { root: 'rows' }))).toBe(expected);
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

describe('docs/masks.md', () => {
  const titles = ['Mask', 'Example', 'Before', 'After', 'Suits', 'Still reveals'];
  const rows = rowsUnder(MASKS, ...titles).map(({ cells, line }) => ({ line, cells: cells.slice(1, 4) }));
  const keyText = /uses the key `(?<key>[^`]+)`/u.exec(MASKS)?.groups?.['key'] ?? '';

  test.each(rows)('shows in line $line what a mask makes of a value', async ({ cells }) => {
    const folder = mkdtempSync(join(tmpdir(), 'masks-'));
    const file = join(folder, 'example');
    writeFileSync(file, keyText);
    const [action = '', before = '', after = ''] = cells.map((cell) =>
      cell === 'removed' ? cell : codeIn(cell),
    );
    const config = { maskKeys: { example: { file } } };
    const text = await masked(`{"v":${before}}`, 'v', action, { config });
    rmSync(folder, { recursive: true });
    expect(text).toBe(after === 'removed' ? '{}' : `{"v":${after}}`);
  });
});
