import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { eventually } from '../support/eventually';
import { ageProofs } from './authenticator-codes';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';

/** Sequential steps of one scenario. */
describe('API keys, in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let mia: BrowserUser;
  let olga: BrowserUser;
  let token: string;
  let key: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
    [mia, olga] = await Promise.all([BrowserUser.open(browser), BrowserUser.open(browser)]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect([...mia.errors, ...olga.errors]).toEqual([]));

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
  const open = async (page: Page, path: string, email: string) => {
    await page.goto(`${local.at('Sample client')}/login?to=${path}`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press(page, 'Sign in');
    await page.waitForURL(`**/app/w/*${path}`);
  };
  const prove = async (page: Page) => {
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press(page, 'Confirm');
  };
  /** Presses a button that opens a dialog, and the one in it. */
  const confirm = async (page: Page, button: string, title: string, submit = button) => {
    await press(page, button);
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: submit, exact: true }).click();
  };
  /** The secret in the dialog, which is closed then. */
  const shownSecret = async (page: Page, title: string, noun: string) => {
    await page.getByRole('dialog', { name: title }).waitFor();
    const secret = (await page.getByRole('status', { name: noun, exact: true }).textContent())!;
    await press(page, 'Done');
    return secret;
  };
  /** The status of a request with a key. */
  const statusWith = async (secret: string) => {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${local.home}/api/v1/tenants/current/projects`, { headers })).status;
  };
  const isRefused = (secret: string) =>
    eventually(async () => ((await statusWith(secret)) === 401 ? true : undefined), 'the refusal', 5000);

  step('of the workspace are hidden from members without the permission', async () => {
    const { page } = mia;
    await open(page, '/api-keys', 'member@example.com');
    await see(page, 'You don’t have permission to do this.');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  });

  step('of a member are created with permissions that they have, and shown once', async () => {
    const { page } = mia;
    await press(page, 'Account');
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await follow(page, 'Tokens');
    await see(page, 'No tokens yet.');
    await follow(page, 'New token');
    await page.getByLabel('Name', { exact: true }).fill('Laptop');
    await page.getByLabel('Allowed networks').fill('everywhere');
    await press(page, 'Create token');
    await see(page, 'Select at least one permission.');
    await see(page, 'Must be an address such as 203.0.113.7');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'token-new');
    await page.getByLabel('Allowed networks').fill('127.0.0.1\n::1');
    await page.getByRole('checkbox', { name: 'tenant.projects.read' }).check();
    expect(await page.getByRole('checkbox', { name: 'tenant.keys.manage' }).count()).toBe(0);
    await ageProofs(local);
    await press(page, 'Create token');
    await prove(page);
    await see(page, 'It is not shown again.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'token-created');
    token = await shownSecret(page, 'Token created', 'token');
    expect(await statusWith(token)).toBe(200);
    await see(page, `…${token.slice(-4)}`);
    await see(page, 'Only from 127.0.0.1, ::1');
    expect(await page.getByText(token).count()).toBe(0);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'tokens');
  });

  step('of a service account are created by who manages keys', async () => {
    const { page } = olga;
    await open(page, '/api-keys', 'owner@example.com');
    await see(page, 'No service accounts yet.');
    await press(page, 'New service account');
    await page.getByLabel('Name', { exact: true }).fill('Import');
    await press(page, 'Create service account');
    await see(page, 'No keys yet.');
    await follow(page, 'New key');
    await page.getByLabel('Name', { exact: true }).fill('Production');
    await page.getByLabel('Expires').click();
    await page.getByRole('option', { name: 'On a date' }).click();
    await page.getByLabel('Date').fill('2020-01-31');
    await page.getByLabel('Requests per minute').fill('600');
    await page.getByRole('checkbox', { name: 'tenant.projects.manage' }).check();
    await press(page, 'Create key');
    await see(page, 'Must be in the future.');
    await page.getByLabel('Date').fill(`${new Date().getFullYear() + 1}-12-31`);
    await press(page, 'Create key');
    key = await shownSecret(page, 'Key created', 'key');
    expect(await statusWith(key)).toBe(200);
    await see(page, /expires on Dec 31/);
    await see(page, 'At most 600 requests a minute');
  });

  step('are replaced with an overlap, and revoked', async () => {
    const { page } = olga;
    await confirm(page, `Replace Production …${key.slice(-4)}`, 'Replace Production?', 'Replace');
    const next = await shownSecret(page, 'Key replaced', 'key');
    expect([await statusWith(key), await statusWith(next)]).toEqual([200, 200]);
    await see(page, 'can be used until');
    // what was used is stored up to a minute later
    const networks = ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24', '10.1.2.0/24', '2001:db8:1:2::/64'];
    await local.query('UPDATE api_keys SET used_networks = $1, last_used_at = now() WHERE revoked_at IS NULL', [
      networks,
    ]);
    await page.reload();
    await see(page, 'Used from 203.0.113.0/24, 198.51.100.0/24, 192.0.2.0/24 and');
    await page
      .getByRole('button', { name: /more networks/ })
      .first()
      .click();
    await see(page, '192.0.2.0/24, 10.1.2.0/24, 2001:db8:1:2::/64');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'service-account');
    await confirm(page, `Revoke Production …${key.slice(-4)}`, 'Revoke Production?', 'Revoke');
    await page.getByText('Revoked', { exact: true }).waitFor();
    await isRefused(key);
    key = next;
  });

  step('stop while their service account is disabled, and end with it', async () => {
    const { page } = olga;
    await confirm(page, 'Disable', 'Disable Import?');
    await see(page, 'Its keys are refused until it is enabled again.');
    await isRefused(key);
    await confirm(page, 'Enable', 'Enable Import?');
    await page.getByText('Its keys are refused').waitFor({ state: 'detached' });
    await press(page, 'Rename');
    await page.getByLabel('Name', { exact: true }).fill('Export');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Export' }).waitFor();
    await follow(page, '← API keys');
    await see(page, 'Mia Member');
    await see(page, /^1 of \d+ API keys/);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'api-keys');
    await follow(page, 'Export');
    await confirm(page, 'Delete', 'Delete Export?');
    await see(page, 'No service accounts yet.');
    await isRefused(key);
  });

  step('of a member are revoked by who manages keys, and deleted by the member', async () => {
    await confirm(olga.page, `Revoke Laptop …${token.slice(-4)}`, 'Revoke Laptop?', 'Revoke');
    await see(olga.page, 'Laptop was revoked.');
    await isRefused(token);
    const { page } = mia;
    await page.reload();
    await see(page, 'Revoked');
    await confirm(page, `Delete Laptop …${token.slice(-4)}`, 'Delete Laptop?', 'Delete');
    await see(page, 'No tokens yet.');
  });
});
