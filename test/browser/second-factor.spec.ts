import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { ageProofs, unusedCode } from './authenticator-codes';
import { BrowserUser, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';

const ALMA = 'admin@example.com';

/** Sequential steps of one scenario. */
describe('a user with a second factor, in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: BrowserUser;
  let page: Page;
  let secret: string;
  let recoveryCodes: string[];
  const step = sequentialSteps();
  beforeAll(async () => {
    const starting = LocalMode.start({ ADMIN_SECOND_FACTOR: 'required' });
    [local, browser] = await Promise.all([starting, openBrowser()]);
    alma = await BrowserUser.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    ({ page } = alma);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const at = (path: string) => `${local.at('Sample client')}${path}`;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const isIn = (workspace = "Alma's workspace") =>
    page.getByRole('button', { name: `Workspace ${workspace}` }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  const logIn = async (path = '/login') => {
    await page.goto(at(path));
    await page.getByLabel('Email').fill(ALMA);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
  };
  const signOut = async () => {
    await press('Account');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
  };
  /** The page of the web client to which links lead with MAIL_LINKS=confirm. */
  const confirmationPage = (link: string) => at(`/sign-in#token=${new URL(link).searchParams.get('token')}`);
  /** Enters a code with a space, and presses Enter. */
  const enterCode = async () => {
    const code = await unusedCode(local, secret);
    await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.keyboard.press('Enter');
  };

  step('sets an authenticator app up with its first code, and saves the recovery codes', async () => {
    await logIn();
    await isIn();
    await press('Account');
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByRole('link', { name: 'Security' }).click();
    await see('Two-step sign-in');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Set up');
    await dialog('Set up your authenticator app').waitFor();
    expect(await focused()).toBe('code');
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await press('Enter a key instead');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Copy key');
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await page.getByLabel('6-digit code').fill('12 34');
    await press('Turn on');
    await see('Enter the 6 digits of the code.');
    await page.getByLabel('6-digit code').fill('000000');
    await press('Turn on');
    await see('This code is incorrect, or it was already used.');
    await enterCode();
    await dialog('Save your recovery codes').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    recoveryCodes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await press('Copy codes');
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join('\n'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    const file = readFileSync(await download.path(), 'utf8');
    expect(file.split('\n')).toEqual(expect.arrayContaining([expect.stringContaining(ALMA), ...recoveryCodes]));
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await page.getByLabel('I have saved my recovery codes').check();
    await press('Done');
    await see('10 unused.');
    await see('None. When you sign in with a code');
    await local.email(ALMA, 'authenticator app');
  });

  step('signs in with a code, which an error names if it is wrong', async () => {
    await signOut();
    await logIn('/login?to=/account/security');
    await heading('Enter your code');
    expect(await focused()).toBe('code');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Continue');
    await see('Enter the 6-digit code.');
    await page.getByLabel('6-digit code').fill('000000');
    await press('Continue');
    await see('This code is incorrect, or it was already used.');
    expect(await focused()).toBe('code');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.reload(); // a phone may discard the page while the app is open
    await heading('Enter your code');
    await enterCode();
    await page.waitForURL('**/app/w/*/account/security');
    await see('10 unused.');
  });

  step('signs in with a recovery code, once', async () => {
    const useRecoveryCode = async () => {
      await logIn();
      await press('Use a recovery code');
      await heading('Enter a recovery code');
      expect(await focused()).toBe('recoveryCode');
      await page.getByLabel('Recovery code').fill(recoveryCodes[0].toLowerCase());
      await press('Continue');
    };
    await signOut();
    await useRecoveryCode();
    await isIn();
    await local.email(ALMA, 'recovery code');
    await signOut();
    await useRecoveryCode();
    await see('This recovery code is incorrect, or it was already used.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
  });

  step('trusts the browser, until it is removed', async () => {
    await press('Use your authenticator app');
    await page.getByLabel('Trust this browser for 30 days').check();
    await page.getByLabel('6-digit code').focus();
    await enterCode();
    await isIn();
    await signOut();
    await logIn('/login?to=/account/security');
    await see('Current');
    await see('9 unused.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await see('None. When you sign in with a code');
    await signOut();
    await logIn();
    await heading('Enter your code');
  });

  step('starts again if the sign-in has expired', async () => {
    await local.query('DELETE FROM sign_in_tickets');
    await page.getByLabel('6-digit code').fill('000000');
    await press('Continue');
    await heading('This sign-in has expired');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Start again');
    await page.getByLabel('Password').waitFor();
    await page.goto(at('/second-factor'));
    await heading('This sign-in has expired');
  });

  step('needs the second factor with an emailed link, of either kind', async () => {
    for (const [index, address] of [(link: string) => link, confirmationPage].entries()) {
      await page.goto(at('/magic-link'));
      await page.getByLabel('Email').fill(ALMA);
      await press('Send link');
      await see('Check your inbox');
      await page.goto(address(await local.emailedLink(ALMA, 'sign-in link')));
      if (index === 1) await press('Sign in');
      await heading('Enter your code');
      expect(page.url()).not.toMatch(/ticket|token/i);
      await enterCode();
      await isIn();
      await signOut();
      await local.emptyInbox();
    }
  });

  step('needs it with the code of such an email, which leads to the requested page', async () => {
    await page.goto(at('/login?to=/members'));
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await page.getByLabel('Email').fill(ALMA);
    await press('Send link');
    await page.getByLabel('6-digit code').fill(await local.emailedCode(ALMA, 'sign-in link'));
    await press('Sign in');
    await heading('Enter your code');
    await enterCode();
    await page.waitForURL('**/app/w/*/members');
    await signOut();
  });

  step('needs it with a provider, which leads to the requested page', async () => {
    await page.goto(at('/members'));
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(ALMA);
    await page.getByRole('textbox', { name: 'Name' }).fill('Alma');
    await press('Sign in');
    await heading('Enter your code');
    await enterCode();
    await page.waitForURL('**/app/w/*/members');
  });

  step('needs it with an invitation, and has then joined', async () => {
    const olga = await BrowserUser.open(browser);
    await olga.page.goto(at('/login?to=/members'));
    await olga.page.getByLabel('Email').fill('owner@example.com');
    await olga.page.getByLabel('Password').fill(DEMO_PASSWORD);
    await olga.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await olga.page.getByRole('button', { name: 'Invite' }).click();
    await olga.page.getByRole('textbox', { name: 'Email' }).fill(ALMA);
    await olga.page.getByRole('button', { name: 'Send invitation' }).click();
    const link = await local.emailedLink(ALMA, 'invited to a workspace');
    expect(olga.errors).toEqual([]);
    await olga.close();
    await signOut();
    await page.goto(link);
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Sign in and join');
    await heading('Enter your code');
    await enterCode();
    await isIn('Acme');
    expect(await page.evaluate(() => sessionStorage.getItem('tenantry.sample.invitation'))).toBeNull();
  });

  step('signs in to the operators’ panel with a code', async () => {
    const panel = await alma.newTab();
    const submit = (name: string) => panel.getByRole('button', { name, exact: true }).click();
    await panel.goto(local.at('Operators’ panel'));
    await panel.getByLabel('Email').fill(ALMA);
    await panel.getByLabel('Password').fill(DEMO_PASSWORD);
    await submit('Sign in');
    await panel.getByLabel('6-digit code').waitFor();
    expect(await complaintsAboutLooks(panel)).toEqual([]);
    await panel.getByLabel('6-digit code').fill('000000');
    await submit('Continue');
    await panel.getByText('This code is incorrect, or it was already used.').waitFor();
    expect(await complaintsAboutLooks(panel)).toEqual([]);
    await submit('Use a recovery code');
    expect(await panel.getByRole('alert').count()).toBe(0);
    await submit('Use your authenticator app');
    await local.query('DELETE FROM sign_in_tickets');
    await panel.getByLabel('6-digit code').fill('000000');
    await submit('Continue');
    await panel.getByText('This sign-in has expired. Sign in again.').waitFor();
    await panel.getByLabel('Email').fill(ALMA);
    await panel.getByLabel('Password').fill(DEMO_PASSWORD);
    await submit('Sign in');
    await panel.getByLabel('6-digit code').fill(await unusedCode(local, secret));
    await submit('Continue');
    await panel.getByRole('heading', { name: 'Overview' }).waitFor();
    await submit('Alma Admin');
    await panel.getByRole('menuitem', { name: 'Sign out' }).click();
    await panel.getByLabel('Email').waitFor();
    await panel.close();
  });

  step('proves the second factor in the panel, after signing in without it in a trusted browser', async () => {
    await signOut();
    await logIn();
    await page.getByLabel('Trust this browser for 30 days').check();
    await page.getByLabel('6-digit code').focus();
    await enterCode();
    await isIn('Acme');
    await page.goto(local.at('Operators’ panel'));
    await page.getByLabel('Email').fill(ALMA);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
    await heading('Operators need a second factor');
    await press('Confirm that it is you');
    await dialog('Confirm that it is you').getByLabel('6-digit code').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await enterCode();
    await heading('Overview');
  });

  step('removes the app, and signs in without it', async () => {
    await page.goto(at('/account/security'));
    await ageProofs(local);
    await page.getByRole('button', { name: 'Remove authenticator app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await dialog('Confirm that it is you').getByLabel('6-digit code').waitFor();
    await enterCode();
    await see('Authenticator app removed.');
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    await signOut();
    await logIn();
    await isIn('Acme');
  });
});
