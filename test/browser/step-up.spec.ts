import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { ageProofs, enrol, unusedCode } from './authenticator-codes';
import { BrowserUser, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';

describe('the sample client, before a change that needs a recent proof of the identity', () => {
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
  });
  afterEach(async () => {
    expect(user.errors).toEqual([]);
    await user.close();
  });

  const SECURITY = '/account/security';
  const question = () => page.getByRole('dialog', { name: 'Confirm that it is you' });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  /** Signs in, and opens a page when the proof of the sign-in does not count any more. */
  const open = async (path: string, email: string) => {
    await page.goto(`${local.at('Sample client')}/login?to=${path}`);
    const signedIn = page.waitForResponse((response) => response.url().endsWith('/auth/login'));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
    await page.waitForURL(`**/app/w/*${path}`);
    await ageProofs(local);
    return ((await (await signedIn).json()) as { data: { accessToken: string } }).data.accessToken;
  };

  it('asks for the password, names a wrong one, and then does what was asked', async () => {
    await open(SECURITY, 'member@example.com');
    await press('Set up');
    await question().getByLabel('Your password').waitFor();
    expect(await focused()).toBe('password');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByLabel('Your password').fill('not it at all');
    await page.keyboard.press('Enter');
    await see('Incorrect password.');
    expect(await focused()).toBe('password');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Set up your authenticator app' }).waitFor();
    expect(await question().count()).toBe(0);
    await press('Cancel');
    await press('Set up'); // the proof counts for a while
    await page.getByRole('dialog', { name: 'Set up your authenticator app' }).waitFor();
  });

  it('changes nothing if the user cancels, with the button or the Escape key', async () => {
    await open(SECURITY, 'member@example.com');
    await press('Set up');
    await question().waitFor();
    await press('Cancel');
    await see('Nothing was changed.');
    await press('Set up');
    await question().getByLabel('Your password').waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('asks above the dialog that the change was made in, which then continues', async () => {
    await open('/members', 'owner@example.com');
    await page.getByRole('button', { name: 'Transfer ownership to Mia Member' }).click();
    await press('Transfer ownership');
    await question().getByLabel('Your password').waitFor();
    await press('Cancel');
    const transfer = page.getByRole('dialog', { name: 'Transfer ownership to Mia Member?' });
    await transfer.getByText('Nothing was changed.').waitFor();
    await press('Transfer ownership');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Confirm');
    await transfer.waitFor({ state: 'detached' });
    await see('owner@example.com · Admin');
  });

  it('asks a user with a second factor for it, in either form', async () => {
    const accessToken = await open(SECURITY, 'admin@example.com');
    await local.query('UPDATE sessions SET proved_at = now()');
    const { secret, recoveryCodes } = await enrol(local, accessToken);
    await ageProofs(local);
    await page.reload();
    await press('Create new codes');
    await press('Create codes');
    await question().getByLabel('6-digit code').waitFor();
    expect(await focused()).toBe('code');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByLabel('6-digit code').fill('000000');
    await press('Confirm');
    await see('This code is incorrect, or it was already used.');
    await page.getByLabel('6-digit code').fill(await unusedCode(local, secret));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
    const newCodes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
    expect(newCodes).not.toEqual(recoveryCodes);
    await page.getByLabel('I have saved my recovery codes').check();
    await press('Done');
    await ageProofs(local);
    await page.getByRole('button', { name: 'Remove authenticator app' }).click();
    await press('Remove');
    await press('Use a recovery code');
    expect(await focused()).toBe('recoveryCode');
    await page.getByLabel('Recovery code').fill(recoveryCodes[0]);
    await press('Confirm');
    await see('This recovery code is incorrect, or it was already used.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByLabel('Recovery code').fill(newCodes[0]);
    await press('Confirm');
    await see('Authenticator app removed.');
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  it('in the operators’ panel, asks before an impersonation, and then opens its tab', async () => {
    await page.goto(`${local.at('Operators’ panel')}/users`);
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
    await page.getByRole('link', { name: 'Mia Member' }).click();
    await ageProofs(local);
    await press('Impersonate');
    await page.getByLabel('Reason').fill('Ticket 4711');
    const closed = await user.tabOpenedBy(() => press('Start'));
    if (!closed.isClosed()) await closed.waitForEvent('close'); // it would cover the question
    await question().getByLabel('Your password').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByLabel('Your password').fill('not it at all');
    await press('Confirm');
    await see('Incorrect password.');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    const tab = await user.tabOpenedBy(() => press('Confirm'));
    await tab.getByText('You’re impersonating Mia Member').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tab.close();
  });

  it('emails a code to a user with neither a second factor nor a password', async () => {
    await page.goto(`${local.at('Sample client')}/login?to=${SECURITY}`);
    await page.getByRole('link', { name: 'Continue with GitHub' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('nora@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Nora');
    await press('Sign in');
    await page.waitForURL(`**/app/w/*${SECURITY}`);
    await ageProofs(local);
    await press('Set password');
    await page.getByLabel('New password').fill('a brand new horse');
    await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click();
    await see('We’ll email a 6-digit code to nora@example.com.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Send code');
    await see('We sent a code to nora@example.com.');
    const { text } = await local.email('nora@example.com', 'code');
    expect(await focused()).toBe('emailCode');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByLabel('6-digit code').fill('000000');
    await press('Confirm');
    await see('This code is incorrect, was already used or has expired.');
    await page.getByLabel('6-digit code').fill(/\b\d{6}\b/.exec(text)![0]);
    await page.keyboard.press('Enter');
    await see('Password set.');
  });
});
