import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { accessibilityViolations, BrowserUser, saveScreenshot, type Page } from './browser-user';
import { complaintsAboutLooks } from './page-looks';

describe('sign-in in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let user: BrowserUser;
  let page: Page;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
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
  const keptInvitation = () => page.evaluate(() => sessionStorage.getItem('tenantry.sample.invitation'));
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
    await page.waitForURL('**/app/w/*/members');
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

  it('with the code of that email, also after a reload', async () => {
    const email = 'owner@example.com';
    const code = page.getByLabel('6-digit code');
    await page.goto(`${local.at('Sample client')}/login?to=/members`);
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await page.getByLabel('Email').fill(email);
    await press('Send link');
    await code.fill('12');
    await press('Sign in');
    await page.getByText('Enter the 6 digits of the code.').waitFor();
    const first = await local.emailedCode(email, 'sign-in link');
    const wrong = first === '000000' ? '000001' : '000000';
    for (let attempt = 1; attempt <= 5; attempt++) {
      await code.fill(wrong);
      const answered = page.waitForResponse('**/auth/magic-link/code');
      await page.keyboard.press('Enter');
      await answered;
    }
    await page.getByText('After five wrong codes, resend the email').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'sign-in-code');
    await code.fill(first);
    await press('Sign in');
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByText('After five wrong codes, resend the email').waitFor();
    await local.emptyInbox();
    await press('Resend email');
    await page.getByText('Sent. It can take a minute to arrive.').waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    const second = await local.emailedCode(email, 'sign-in link');
    await page.reload();
    await page.getByText(`If ${email} has an account`).waitFor();
    await code.fill(second);
    await press('Sign in');
    await page.waitForURL('**/app/w/*/members');
  });

  it('by going back to correct the address before another email is sent', async () => {
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await page.getByLabel('Email').fill('mistyped@example.com');
    await press('Send link');
    await page.getByText('If mistyped@example.com has an account').waitFor();
    await page.goBack();
    await page.getByLabel('Email').fill('admin@example.com');
    await press('Send link');
    await page.getByLabel('6-digit code').fill(await local.emailedCode('admin@example.com', 'sign-in link'));
    await press('Sign in');
    await isIn("Alma's workspace");
  });

  it('with a new password after a reset', async () => {
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill('member@example.com');
    await press('Send link');
    const link = await local.emailedLink('member@example.com', 'reset your password');
    await page.goto(link);
    await page.getByLabel('Password').fill('password');
    await press('Set password');
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Password').fill('a brand new horse');
    await press('Set password');
    await page.getByText('Password updated').waitFor();
    await page.goto(local.at('Email inbox'));
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor(); // before a password is typed
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
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
    const link = await local.emailedLink('admin@example.com', 'invited to a workspace');
    await page.goto(link);
    await page.getByText('You’re signed in as owner@example.com.').waitFor();
    expect(await keptInvitation()).toBe(new URL(link).hash.split('token=')[1]);
    await press('Sign out and continue');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Sign in and join');
    await isIn('Acme');
    expect(await keptInvitation()).toBeNull();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page
      .getByText('You’re invited to Acme as Member. To accept, open the link in the email we sent you.')
      .waitFor();
    await page.goto(link);
    await page.getByText('This invitation was already used, revoked, or replaced by a newer one.').waitFor();
    expect(await keptInvitation()).toBeNull();
  });

  it('for an invitation, which the tab forgets when the visitor goes elsewhere', async () => {
    const invitation = `${local.at('Sample client')}/invitation`;
    await logIn('owner@example.com');
    await isIn('Acme');
    await page.getByRole('link', { name: 'Members' }).click();
    await press('Invite');
    await page.getByRole('textbox', { name: 'Email' }).fill('later@example.com');
    await press('Send invitation');
    await page.goto(await local.emailedLink('later@example.com', 'invited to a workspace'));
    await press('Sign out and continue');
    await page.getByRole('button', { name: 'Create account and join' }).waitFor();
    await page.goto(`${local.at('Sample client')}/login?to=/invitation`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Send link' }).waitFor();
    await page.goto(invitation);
    await page.getByRole('button', { name: 'Create account and join' }).waitFor();
    await page.goto(`${local.at('Sample client')}/login`);
    await page.getByLabel('Email').waitFor();
    expect(await keptInvitation()).toBeNull();
    await page.goto(invitation);
    await page.getByText('Open the link again').waitFor();
  });

  it('is not asked for at an unknown address, which also users without a workspace can read about', async () => {
    const unknown = `${local.at('Sample client')}/nonsense`;
    const isNotFound = async () => {
      await page.goto(unknown);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(page.url()).toBe(unknown);
      expect(await accessibilityViolations(page)).toEqual([]);
    };
    await isNotFound();
    await page.getByRole('link', { name: 'Back to the start page' }).click();
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('homeless@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Hans');
    await press('Sign in');
    await isIn("Hans's workspace");
    await isNotFound();
    await page.getByRole('link', { name: 'Members' }).waitFor();
    await page.goto(`${local.at('Sample client')}/settings`);
    await press('Delete workspace');
    await page.getByRole('dialog').getByLabel('Workspace name').fill("Hans's workspace");
    await press('Delete permanently');
    await page.getByText('You’re not in a workspace yet').waitFor();
    await isNotFound();
  });
});
