import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { ageProofs } from './authenticator-codes';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';

describe('the sample client, for a user who wants to leave', () => {
  let local: LocalMode;
  let browser: Browser;
  let user: BrowserUser;
  let page: Page;
  beforeAll(async () => {
    const nobodyIsAdmin = { ADMIN_EMAILS: 'operator@example.com' }; // admins cannot delete their accounts
    [local, browser] = await Promise.all([LocalMode.start(nobodyIsAdmin), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  beforeEach(async () => {
    user = await BrowserUser.open(browser);
    page = user.page;
  });
  afterEach(async () => {
    expect(user.errors).toEqual([]);
    await user.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const signIn = async (email: string) => {
    await page.goto(`${local.at('Sample client')}/login?to=/account`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
    await page.waitForURL('**/app/w/*/account');
  };
  /** Goes back in the history, past the page of the sign-in. */
  const returnToPlannedDeletion = async () => {
    await page.goBack();
    await page.waitForURL('**/app/w/*/projects');
    const renewed = user.nextRequest('/auth/refresh').then((request) => request.response());
    await page.goBack();
    await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor();
    expect((await renewed)?.status()).toBe(200);
  };
  /** Opens the account, and delivers its first answer about the deletion after a change. */
  const answerFirstReadAfter = async (change: () => Promise<void>) => {
    const reading = page.waitForRequest('**/users/me/deletion');
    const readAgain = page
      .waitForResponse((response) => response.request().method() === 'DELETE')
      .then(() => page.waitForRequest('**/auth/me'));
    let reads = 0;
    await page.route('**/users/me/deletion', async (route) => {
      if (route.request().method() !== 'GET' || reads++ > 0) return route.continue();
      const response = await route.fetch();
      await readAgain;
      await route.fulfill({ response }).catch(() => undefined); // the page no longer waits for it
    });
    await page.goto(`${local.at('Sample client')}/account`);
    await page.waitForURL('**/app/w/*/account'); // still signed in
    await reading;
    await change();
  };

  it('downloads the data after a confirmation of the identity', async () => {
    await signIn('member@example.com');
    await ageProofs(local);
    await press('Download your data');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    const [download] = await Promise.all([page.waitForEvent('download'), press('Confirm')]);
    expect(download.suggestedFilename()).toMatch(/^account-data-.*\.json$/);
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as object;
    const lists = { account: [{ email: 'member@example.com' }] };
    expect(file).toMatchObject({ version: 2, lists, truncated: [] });
    await see('Your data was downloaded.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'data-export');
    for (let nth = 2; nth <= 3; nth++) await Promise.all([page.waitForEvent('download'), press('Download your data')]);
    await press('Download your data');
    await see('Too many requests.');
  });

  it('names the workspaces that must be handed over, with links to where that is done', async () => {
    await signIn('owner@example.com');
    await press('Delete account');
    await page.getByRole('dialog', { name: 'Your account can’t be deleted yet' }).waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'deletion-blockers');
    await page.getByRole('link', { name: /^Members of / }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
  });

  it('stays signed in when the page about a planned deletion is opened without one', async () => {
    await signIn('owner@example.com');
    await page.goto(`${local.at('Sample client')}/deletion-planned`);
    await page.waitForURL('**/app/w/*/projects');
    await page.reload();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
  });

  it('signs out after a confirmation of the identity, and keeps the account after the next sign-in', async () => {
    await signIn('admin@example.com');
    await ageProofs(local);
    await press('Delete account');
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText('Alma’s workspace').or(dialog.getByText("Alma's workspace")).waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'deletion-dialog');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Confirm');
    await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor();
    await see('Sign in before and choose “Keep account”.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'deletion-planned');
    expect((await local.email('admin@example.com', 'will be deleted')).text).toContain('secure-account#token=');
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await page.getByLabel('Password').waitFor(); // signed out, in this browser too
    await signIn('admin@example.com');
    await see(/Your account will be deleted on/);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'deletion-banner');
    await returnToPlannedDeletion();
    await answerFirstReadAfter(() => press('Keep account'));
    await see('Your account will be kept.');
    await page.getByRole('button', { name: 'Keep account' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete account' }).waitFor();
  });
});
