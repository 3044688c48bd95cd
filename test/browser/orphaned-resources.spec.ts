import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';

/** Sequential steps of one scenario. */
describe('what a former member has made, in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let olga: BrowserUser;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
    olga = await BrowserUser.open(browser);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(olga.errors).toEqual([]));

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
  const confirm = async (page: Page, button: string, title: string, submit: string) => {
    await press(page, button);
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: submit, exact: true }).click();
  };
  const createKey = async (page: Page, account: string) => {
    await follow(page, 'API keys');
    await press(page, 'New service account');
    await page.getByLabel('Name', { exact: true }).fill(account);
    await press(page, 'Create service account');
    await follow(page, 'New key');
    await page.getByLabel('Name', { exact: true }).fill('Production');
    await page.getByRole('checkbox', { name: 'tenant.projects.read' }).check();
    await press(page, 'Create key');
    await page.getByRole('dialog', { name: 'Key created' }).waitFor();
    await press(page, 'Done');
  };

  step('is shown to the Owner after the member was removed', async () => {
    const { page } = olga;
    await page.goto(`${local.at('Sample client')}/login?to=/members`);
    await page.getByLabel('Email').fill('owner@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press(page, 'Sign in');
    await see(page, 'Mia Member');
    expect(await page.getByText('Left by former members').count()).toBe(0);
    await createKey(page, 'Import');
    await createKey(page, 'Export');
    await local.query(
      `UPDATE api_keys SET created_by = (SELECT id FROM users WHERE email = $1) WHERE service_account_id IS NOT NULL`,
      ['member@example.com'],
    );
    await follow(page, 'Members');
    await confirm(page, 'Remove Mia Member', 'Remove Mia Member?', 'Remove');
    await see(page, 'Left by former members');
    await see(page, /Mia Member, .* is disabled on/);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'orphaned-resources');
  });

  step('is taken over or disabled', async () => {
    const { page } = olga;
    await confirm(page, 'Take over Service account "Import"', 'Take it over?', 'Take over');
    await see(page, 'Service account "Import" was taken over.');
    await confirm(page, 'Disable Service account "Export"', 'Disable it?', 'Disable');
    await see(page, 'Service account "Export" was disabled.');
    await page.getByText('Left by former members').waitFor({ state: 'detached' });
  });
});
