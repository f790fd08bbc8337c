import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from '../../scripts/playground/browser.ts';
import { buildPage } from '../../scripts/playground/build.ts';
import { openSource } from '../../src/compose/playground.ts';
import { KEYS_OF_NAMES } from '../../src/compose/testing.ts';
import { neededTool } from '../support/tools.ts';
import { explainer, readPage, startPlayground, type Playground } from '../../src/places/playground/index.ts';

const { describe, program } = neededTool('chromium');

/** Describes tests in a real browser. */
export const describeInBrowser = describe;

/** A playground and a browser for the tests of a file. */
export interface Stage {
  /** The address of the page. */
  readonly url: string;
  /** Opens the page of a link, in a window of its own. */
  open(options?: BrowserContextOptions, fragment?: string): Promise<Page>;
  /** What went wrong in any window: errors in the console, and requests that left the playground. */
  readonly incidents: readonly string[];
}

/** Starts a playground and a browser before the tests, and ends both after them. */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  let browser: Browser | undefined;
  let playground: Playground | undefined;
  let folder: string | undefined;
  beforeAll(async () => {
    if (program === '') return;
    folder = await mkdtemp(path.join(tmpdir(), 'playground-'));
    await buildPage(folder);
    playground = await started(folder);
    browser = await startChromium();
    if (browser) stage = stageWith(browser, `http://127.0.0.1:${playground.port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await playground?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });
  return () => {
    if (stage === undefined) throw new Error('There is no browser.');
    return stage;
  };
}

function started(folder: string): Promise<Playground> {
  const page = readPage(folder);
  if (page === undefined) throw new Error('The page is not built.');
  const explain = explainer({ open: openSource, keys: KEYS_OF_NAMES });
  return startPlayground({ port: 0, page, policies: undefined, explain, onFault });
}

function onFault(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

function stageWith(browser: Browser, url: string): Stage {
  const incidents: string[] = [];
  return {
    url,
    incidents,
    async open(options = {}, fragment = '') {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin });
      const page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && incidents.push(message.text()));
      page.on('pageerror', (error) => incidents.push(error.message));
      page.on('request', (request) => request.url().startsWith(url) || incidents.push(request.url()));
      await page.goto(url + fragment);
      return page;
    },
  };
}
