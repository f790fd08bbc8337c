/**
 * Takes the screenshots of docs/playground.md with Chromium: `node scripts/screenshots.ts`, once the project is built. Writes
 * them into docs/playground/.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from './playground/browser.ts';
import { VIEWS, type View } from './playground/views.ts';

const FOLDER = 'docs/playground';
/** Of 100: text has no visible artefacts. */
const QUALITY = 85;

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [address] = /http:\/\/\S+\//u.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The playground did not start.');
}

async function take(browser: Browser, address: string, view: View): Promise<void> {
  const { name, width, height, colorScheme, prepare } = view;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  await page.goto(address);
  await page.locator('.result .mark').first().waitFor();
  await prepare(page);
  writeFileSync(path.join(FOLDER, `${name}.webp`), await capture(page));
  await page.close();
}

/** The window as WebP, which takes a quarter of what PNG does. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

async function run(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const playground = spawn(process.execPath, ['dist/main.js', 'playground', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(playground, 'close');
  try {
    const address = await addressOf(createInterface(playground.stdout));
    // One window at a time, so that each has the machine to itself.
    // oxlint-disable-next-line no-await-in-loop
    for (const view of VIEWS) await take(browser, address, view);
  } finally {
    playground.kill('SIGINT');
    await ended;
  }
}

const browser = await startChromium();
if (browser === undefined) {
  process.stderr.write('Chromium cannot be installed here: install the package chromium.\n');
  process.exitCode = 1;
} else {
  try {
    await run(browser);
  } finally {
    await browser.close();
  }
}
