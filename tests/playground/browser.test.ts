import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { parse } from 'yaml';
import { examples } from '../../scripts/playground/examples.ts';
import { describeInBrowser, useStage } from './setup.ts';

const stage = useStage();

const PAYLOAD =
  '[\n  { "id": 1, "ssn": "123-45-6789", "vip": false },\n  { "id": 2, "ssn": "987-65-4321", "vip": true }\n]';
const POLICIES = `policies:
  - name: Social security numbers of important people
    properties: [ssn]
    action: MASK
    priority: 10
    when: { attribute: vip, operator: EQUALS, type: BOOLEAN, values: [true] }
  - name: Social security numbers end in four digits
    properties: [ssn]
    action: last(4)
    priority: 20
  - name: Only the first
    for: { entityTypes: [Agent] }
    action: FILTER
    when: { attribute: id, operator: EQUALS, type: INTEGER, values: [1] }
  - name: Managers see everybody
    for: { entityTypes: [Manager] }
    action: FILTER
`;

/** The text of an element, once it has a part. Waits for it, and fails if it does not come. */
async function textWith(locator: Locator, part: string | RegExp): Promise<string> {
  const found = locator.filter({ hasText: part });
  await found.waitFor();
  return found.innerText();
}

function result(page: Page, user = 'jane (Agent)'): Locator {
  return page.getByRole('textbox', { name: `What ${user} gets` });
}

function why(page: Page): Locator {
  return page.getByRole('region', { name: 'Why' });
}

function mark(page: Page, text: string): Locator {
  return page.locator('.mark', { hasText: text }).first();
}

async function type(page: Page, payload = PAYLOAD, policies = POLICIES): Promise<void> {
  await replace(page, 'Payload', payload);
  await replace(page, 'Policy file', policies);
}

/** Selects all of an editor, as a reader does, and types over it. */
async function replace(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: editor }).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

async function copied(page: Page): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

/** The regions that have the focus one after the other, as Tab is pressed. */
async function regionsByTab(page: Page, times: number): Promise<readonly string[]> {
  if (times === 0) return [];
  await page.keyboard.press('Tab');
  const region = await page.evaluate("document.activeElement?.closest('section')?.ariaLabel");
  return [String(region), ...(await regionsByTab(page, times - 1))];
}

describeInBrowser('the playground', () => {
  test('shows the mask while policies are typed, and why when it is pointed at', async () => {
    const page = await stage().open();
    await type(page);
    await textWith(result(page), '*******6789');
    await mark(page, '*******6789').hover();
    const reason = await textWith(why(page), 'Social security numbers end in four digits');
    expect(reason).toContain('/0/ssn');
    expect(reason).toContain('last(4)');
    expect(reason).toContain('priority 20');
    expect(reason).toContain('Rules that lost');
    expect(reason).toMatch(/Social security numbers of important people[^]*vip EQUALS/u);
  });

  test('strikes out a removed record and says which rules did not allow it', async () => {
    const page = await stage().open();
    await type(page);
    await textWith(result(page), '*******6789');
    await page.locator('.mark.struck', { hasText: '"id": 2' }).hover();
    const reason = await textWith(why(page), 'This record is removed');
    expect(reason).toMatch(/Only the first[^]*does not allow it/u);
    expect(reason).toContain('id EQUALS');
  });

  test('goes from mark to mark with the arrow keys', async () => {
    const page = await stage().open();
    await type(page);
    await textWith(result(page), '*******6789');
    await result(page).focus();
    await expect(textWith(why(page), '/0/ssn')).resolves.toContain('Masked by');
    await page.keyboard.press('ArrowDown');
    await expect(textWith(why(page), '/1')).resolves.toContain('This record is removed');
    await page.keyboard.press('Home');
    await expect(textWith(why(page), '/0/ssn')).resolves.toContain('Masked by');
    await page.keyboard.press('Escape');
    await expect(textWith(why(page), 'Point at a marked place')).resolves.not.toContain('/0/ssn');
  });

  test('can be left with Tab, whatever has the focus', async () => {
    const page = await stage().open();
    await page.getByRole('textbox', { name: 'Payload' }).focus();
    const regions = ['Policies', 'What jane (Agent) gets', 'Rules', 'Why'];
    await expect(regionsByTab(page, 12)).resolves.toEqual(expect.arrayContaining(regions));
  });

  test('shows two users side by side', async () => {
    const page = await stage().open();
    await type(page);
    await textWith(result(page), '*******6789');
    await page.getByLabel('Compare two users').check();
    const max = await textWith(result(page, 'max (Manager)'), '"id": 2');
    expect(max).toContain('"***"');
    await expect(result(page).locator('.struck').count()).resolves.toBeGreaterThan(0);
    await expect(result(page, 'max (Manager)').locator('.struck').count()).resolves.toBe(0);
  });

  test('opens a link as it was copied', async () => {
    const page = await stage().open();
    await type(page);
    await textWith(result(page), '*******6789');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await textWith(page.getByRole('status'), 'Link copied');
    const link = await copied(page);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#w=/u);
    const other = await stage().open({}, new URL(link).hash);
    await textWith(result(other), '*******6789');
    await expect(other.getByRole('textbox', { name: 'Policy file' }).innerText()).resolves.toContain(
      'Only the first',
    );
  });

  test('says that a link is damaged, which is opened at first or later', async () => {
    const page = await stage().open({}, '#w=AAAA');
    await expect(textWith(page.getByRole('main'), 'The link is damaged')).resolves.not.toContain('123-45');
    await type(page);
    await textWith(result(page), '*******6789');
    await page.evaluate(`location.hash = '#w=BBBB'`);
    await textWith(page.getByRole('main'), 'The link is damaged');
    await textWith(result(page), '*******6789');
  });

  test('shows a problem at its line, keeps the last result and moves nothing', async () => {
    const page = await stage().open({ viewport: { width: 1440, height: 900 } });
    await type(page);
    await textWith(result(page), '*******6789');
    const boxes = (): Promise<unknown> =>
      Promise.all(
        ['Payload', 'Policies', 'Rules', 'Why'].map((name) =>
          page.getByRole('region', { name }).boundingBox(),
        ),
      );
    const before = await boxes();
    await type(page, PAYLOAD, POLICIES.replace('action: last(4)', 'action: lats(4)'));
    await textWith(page.getByRole('region', { name: 'Policies' }), 'Line 9:');
    await expect(page.locator('.problem-line').innerText()).resolves.toContain('lats(4)');
    await expect(result(page).innerText()).resolves.toContain('*******6789');
    expect(await boxes()).toEqual(before);
  });

  test('shows the place at which a payload is not JSON', async () => {
    const page = await stage().open();
    await type(page, '[\n  { "id": 1, }\n]');
    const problems = page.getByRole('region', { name: 'Payload' }).getByRole('status');
    await expect(textWith(problems, 'not valid JSON')).resolves.toContain('Line 2:');
  });

  test('believes claims, and says if they are not JSON', async () => {
    const page = await stage().open();
    const policies =
      'policies:\n  - name: Europe\n    for: { claims: { $.region: [EU] } }\n    properties: [ssn]\n    action: MASK\n';
    await type(page, PAYLOAD, policies);
    await textWith(result(page), '123-45-6789');
    await page.getByLabel('Claims').fill('{ "region": "EU" }');
    await expect(textWith(result(page), '"***"')).resolves.not.toContain('123-45-6789');
    await page.getByLabel('Claims').fill('{ "region": ');
    await expect(textWith(page.getByRole('status'), 'claims')).resolves.toContain('have to be a JSON object');
  });

  test('asks for the client id if the policy file has scopes', async () => {
    const page = await stage().open();
    await type(page);
    const field = page.getByLabel('Client id of the scope');
    expect(await field.count()).toBe(0);
    await replace(page, 'Policy file', `scopes: [{ clientId: web, clientSecret: s }]\n${POLICIES}`);
    await page.getByText('`clientId` is missing', { exact: false }).first().waitFor();
    await field.fill('web');
    expect(await textWith(result(page), '*******6789')).toContain('"id": 1');
  });

  test('copies a command and a test', async () => {
    const page = await stage().open();
    await type(page);
    await textWith(result(page), '*******6789');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await textWith(page.getByRole('status'), 'curl command copied');
    expect(await copied(page)).toContain(PAYLOAD);
    await page.getByRole('button', { name: 'Copy as test' }).click();
    await textWith(page.getByRole('status'), 'Test copied');
    expect(parse(await copied(page))).toMatchObject({
      tests: [
        {
          as: { entityTypeId: 'Agent', entityId: 'jane' },
          expect: [{ id: 1, ssn: '*******6789', vip: false }],
        },
      ],
    });
  });

  test.each(examples().map(({ title }) => title))('has an example that works: %s', async (title) => {
    const page = await stage().open();
    await page.getByLabel('Examples').selectOption(title);
    await page.locator('.result .mark').first().waitFor();
    await expect(page.locator('.problems').allInnerTexts()).resolves.toEqual([]);
  });

  test('loads nothing from elsewhere, and breaks no rule of its Content-Security-Policy', () => {
    expect(stage().incidents).toEqual([]);
  });
});
