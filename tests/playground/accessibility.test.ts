import axe from 'axe-core';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, useStage } from './setup.ts';

const stage = useStage();

const WIDTHS = [360, 800, 1440] as const;
const SCHEMES = ['light', 'dark'] as const;
const VIEWS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const));

/** What axe finds against WCAG 2.2 AA and its best practices, a line a place. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary].join(' '))))`,
  );
  return Array.isArray(found) ? found.map(String) : ['axe did not run'];
}

describeInBrowser('the playground', () => {
  test.each(VIEWS)('can be used by everybody at %i pixels in the %s', async (width, colorScheme) => {
    const page = await stage().open({ viewport: { width, height: 900 }, colorScheme });
    await page.locator('.result .mark').first().hover();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Compare two users').check();
    await page.getByText('Parameters').click();
    await page.getByRole('textbox', { name: 'Policy file' }).fill('policies:\n  - nam: x\n');
    await page.locator('.problems').first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test.each(WIDTHS)('never has to be scrolled sideways at %i pixels', async (width) => {
    const page = await stage().open({ viewport: { width, height: 900 } });
    await page.locator('.result .mark').first().waitFor();
    await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBeLessThanOrEqual(width);
  });
});
