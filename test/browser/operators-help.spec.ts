import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { sequentialSteps } from './sequential-steps';
import { accessibilityViolations, saveScreenshot, BrowserUser, type Page } from './browser-user';

/** Sequential steps of one scenario. */
describe('an operator who helps a user', () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: BrowserUser;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
    alma = await BrowserUser.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = alma.page;
    await page.goto(`${local.at('Operators’ panel')}/users`);
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Mia Member' }).waitFor();
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const narrow = () => page.setViewportSize({ width: 390, height: 800 });
  const wide = () => page.setViewportSize({ width: 1280, height: 800 });

  step('saves the filtered list as a file', async () => {
    await page.getByLabel('Search by email, name or ID').fill('mia');
    await page.waitForURL(/mia/);
    await page.getByRole('link', { name: 'Mia Member' }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export CSV')]);
    expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toEqual([expect.stringContaining('id,email,name'), expect.stringContaining('Mia Member')]);
    await see('File saved.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'operators-users');
    await narrow();
    await saveScreenshot(page, 'operators-users-phone');
    await wide();
  });

  step('finds a user by the keyboard alone', async () => {
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Search' });
    await input.fill('mem');
    await page.getByRole('option', { name: /Mia Member/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'operators-search');
    await narrow();
    await saveScreenshot(page, 'operators-search-phone');
    await wide();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Mia Member' }).waitFor();
    await page.keyboard.press('Control+k');
    await input.fill('nothing like this');
    await see('No results.');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
  });

  step('copies the email, and sends a password reset link', async () => {
    await press('Copy Email');
    await see('Email copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('member@example.com');
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'operators-user');
    await narrow();
    await saveScreenshot(page, 'operators-user-phone');
    await wide();
    await press('Send password reset link');
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await press('Send link');
    await see('A password reset link is on its way to member@example.com.');
    await see('user.link-sent');
  });

  step('overrides limits, sees each error at its field, and ends the override', async () => {
    await page.goto(`${local.at('Operators’ panel')}/tenants`);
    await page.getByRole('link', { name: 'Acme' }).click();
    const dialog = page.getByRole('dialog');
    await press('Grant plan or limits');
    await dialog.getByPlaceholder('Plan: 50 ').waitFor(); // the seats of Pro
    await dialog.getByRole('button', { name: '+30 days' }).click();
    expect(await dialog.getByLabel('Last day').inputValue()).not.toBe('');
    await dialog.getByLabel('Projects').fill('many');
    await dialog.getByLabel('Last day').fill('2020-01-31');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByText(/Members who can read the audit log/).waitFor();
    await dialog.getByLabel('Reason').fill('Pilot project');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('[aria-invalid=true][value=many]').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByLabel('Projects').fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('must be in the future', { exact: true }).waitFor();
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Last day').fill(day);
    await saveScreenshot(page, 'operators-override');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await see('Projects: 7');
    await see('Pilot project');
    await page.getByRole('row', { name: /^Projects 7 \d+ Override$/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'operators-entitlements');
    await narrow();
    await page.waitForFunction(() => document.documentElement.scrollWidth === 390);
    await page.emulateMedia({ colorScheme: 'dark' });
    await saveScreenshot(page, 'operators-entitlements-phone');
    await page.emulateMedia({ colorScheme: 'light' });
    await wide();
    await press('End override');
    await dialog.getByRole('button', { name: 'End override' }).click();
    await see('The override of Acme has ended.');
    await press('Grant plan or limits');
    await press('Cancel');
    expect(await page.getByText('Projects: 7').count()).toBe(0);
  });
});
