import type { Page } from 'playwright-core';

/** A state of the page that the documentation shows. */
export interface View {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** Brings the page, which shows the first example, into the state. */
  readonly prepare: (page: Page) => Promise<void>;
}

/** Sizes of windows, in pixels. */
const WIDE = { width: 1440, height: 900 };
const MIDDLE = { width: 800, height: 1180 };
const NARROW = { width: 360, height: 780 };

async function pointAtMark(page: Page, text = 'Confidential'): Promise<void> {
  await page.locator('.mark', { hasText: text }).first().hover();
  await page.locator('.why .place').waitFor();
}

async function pointAtRecord(page: Page): Promise<void> {
  const record = page.locator('.mark.struck', { hasText: '"c3"' }).first();
  await record.scrollIntoViewIfNeeded();
  await record.hover();
  await page.locator('.why .place').waitFor();
}

async function compare(page: Page): Promise<void> {
  await page.getByLabel('Compare two users').check();
  await page.locator('.result').nth(1).locator('.mark').first().waitFor();
  await page.locator('.result').nth(1).locator('.mark', { hasText: '*6789' }).hover();
}

async function mistype(page: Page): Promise<void> {
  await page.locator('.cm-line', { hasText: 'action: last(4)' }).first().click();
  await page.keyboard.press('End');
  await Array.from('last(4)').reduce(
    (before) => before.then(() => page.keyboard.press('Backspace')),
    Promise.resolve(),
  );
  await page.keyboard.type('lats(4)');
  await page.locator('.problems').waitFor();
  await page.locator('.problem-line').scrollIntoViewIfNeeded();
}

async function openExample(page: Page, title: string): Promise<void> {
  await page.getByLabel('Examples').selectOption(title);
  await page.waitForTimeout(500);
}

/** The states that docs/playground.md shows. */
export const VIEWS: readonly View[] = [
  { name: 'masked', ...WIDE, colorScheme: 'light', prepare: (page) => pointAtMark(page) },
  { name: 'masked-dark', ...WIDE, colorScheme: 'dark', prepare: (page) => pointAtMark(page) },
  { name: 'removed', ...WIDE, colorScheme: 'light', prepare: pointAtRecord },
  { name: 'two-users', ...WIDE, colorScheme: 'light', prepare: compare },
  { name: 'problem', ...WIDE, colorScheme: 'light', prepare: mistype },
  {
    name: 'decision',
    ...WIDE,
    colorScheme: 'light',
    async prepare(page) {
      await openExample(page, 'A decision of a PDP');
      await pointAtMark(page, '*6789');
    },
  },
  { name: 'middle', ...MIDDLE, colorScheme: 'light', prepare: (page) => pointAtMark(page, '***') },
  { name: 'middle-dark', ...MIDDLE, colorScheme: 'dark', prepare: (page) => pointAtMark(page, '***') },
  { name: 'narrow', ...NARROW, colorScheme: 'light', prepare: narrow },
  { name: 'narrow-dark', ...NARROW, colorScheme: 'dark', prepare: narrow },
];

async function narrow(page: Page): Promise<void> {
  await page.locator('.result').scrollIntoViewIfNeeded();
  await pointAtMark(page, '***');
}
