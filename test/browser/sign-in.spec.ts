import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { accessibilityViolations, BrowserUser, type Page } from './browser-user';

describe('sign-in in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let user: BrowserUser;
  let page: Page;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  beforeEach(async () => {
    user = await BrowserUser.open(browser);
    page = user.page;
    await page.goto(`${local.at('Sample client')}/login`);
  });
  afterEach(async () => {
    expect(user.errors).toEqual([]);
    await user.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const isIn = (workspace: string) => page.getByRole('button', { name: `Workspace ${workspace}` }).waitFor();
  const logIn = async (email: string, password = DEMO_PASSWORD) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press('Sign in');
  };

  it.each(['Google', 'GitHub'])('with %s, returning to the requested page', async (provider) => {
    await page.goto(`${local.at('Sample client')}/members`);
    await page.getByRole('link', { name: `Continue with ${provider}` }).click();
    expect(page.url()).toContain(local.at('Google and GitHub'));
    await page.getByRole('textbox', { name: 'Email' }).fill(`${provider.toLowerCase()}@example.com`);
    await page.getByRole('textbox', { name: 'Name' }).fill(`Nora ${provider}`);
    await press('Sign in');
    await page.waitForURL('**/app/members');
    await isIn(`Nora ${provider}'s workspace`);
  });

  it('with an emailed link, once', async () => {
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await page.getByLabel('Email').fill('member@example.com');
    await press('Send link');
    await page.getByText('Check your inbox').waitFor();
    const link = await local.emailedLink('member@example.com', 'sign-in link');
    await page.goto(link);
    await isIn('Acme');
    await page.goto(link);
    await page.getByText('This sign-in link has already been used or replaced by a newer one.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('with a new password after a reset', async () => {
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill('member@example.com');
    await press('Send link');
    await page.goto(await local.emailedLink('member@example.com', 'reset your password'));
    await page.getByLabel('Password').fill('password');
    await press('Set password');
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Password').fill('a brand new horse');
    await press('Set password');
    await page.getByText('Password updated').waitFor();
    await page.goto(`${local.at('Sample client')}/login`);
    await logIn('member@example.com', 'a brand new horse');
    await isIn('Acme');
  });

  it('with an invitation, for the invited user only', async () => {
    await logIn('owner@example.com');
    await isIn('Acme');
    await page.getByRole('link', { name: 'Members' }).click();
    await press('Invite');
    await page.getByRole('textbox', { name: 'Email' }).fill('admin@example.com');
    await press('Send invitation');
    const link = await local.emailedLink('admin@example.com', 'invited you to acme');
    await page.goto(link);
    await page.getByText('You’re signed in as owner@example.com.').waitFor();
    await press('Sign out and continue');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Sign in and join');
    await isIn('Acme');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page
      .getByText('You’re invited to Acme as Member. To accept, open the link in the email we sent you.')
      .waitFor();
  });
});
