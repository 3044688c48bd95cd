import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { ageProofs, enrol } from './authenticator-codes';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';
import { VirtualAuthenticator } from './virtual-authenticator';

const ALMA = 'admin@example.com';
/** Where the options of a question for a passkey come from. */
const OPTIONS = /\/auth\/passkeys?\/options$/;
const SECURITY = '/account/security';

/** Sequential steps of one scenario. */
describe('a user with a passkey', () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: BrowserUser;
  let page: Page;
  let authenticator: VirtualAuthenticator;
  const step = sequentialSteps();
  beforeAll(async () => {
    const starting = LocalMode.start({ ADMIN_SECOND_FACTOR: 'required' });
    [local, browser] = await Promise.all([starting, openBrowser()]);
    alma = await BrowserUser.open(browser);
    ({ page } = alma);
    authenticator = await VirtualAuthenticator.of(page);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const at = (path: string) => `${local.at('Sample client')}${path}`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const press = (name: string) => button(name).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const isIn = (path = SECURITY) => page.waitForURL(`**/app/w/*${path}`);
  const openSignIn = () => page.goto(at(`/login?to=${SECURITY}`));
  const enterPassword = async () => {
    await page.getByLabel('Email').fill(ALMA);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
  };
  const signOut = async () => {
    await press('Account');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
  };
  /**
   * Does what the browser asks for a passkey for, to which the user then puts a finger. The
   * question waits for the finger, because the authenticator notices no finger that comes later.
   */
  const withFinger = async (ask: () => Promise<unknown>, done: () => Promise<unknown>) => {
    let put = () => {};
    const finger = new Promise<void>((resolve) => (put = resolve));
    await page.route(OPTIONS, (route) => finger.then(() => route.continue()));
    await ask();
    await authenticator.setPresent(true);
    put();
    await done();
    await authenticator.setPresent(false);
    await page.unroute(OPTIONS);
  };

  step('adds it on the security page, with the name of the device', async () => {
    await openSignIn();
    await enterPassword();
    await isIn();
    await see('None yet.');
    await press('Add passkey');
    await dialog('Add a passkey').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Chrome on Linux');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-add');
    await page.getByLabel('Name').fill('');
    await press('Continue');
    await see('Enter a name.');
    await page.getByLabel('Name').fill('Work laptop');
    await withFinger(
      () => press('Continue'),
      () => see('Passkey added. You can now sign in with it.'),
    );
    await see(/not used yet/);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    expect(await authenticator.passkeys()).toHaveLength(1);
    await local.email(ALMA, 'passkey');
  });

  step('is asked for it before adding another, and told that the device has one already', async () => {
    await press('Add passkey');
    await press('Continue');
    await button('Use passkey').waitFor(); // an admin's password adds no factor
    expect(await button('Use another way').count()).toBe(0);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await withFinger(
      () => press('Use passkey'),
      () => see('This device already has a passkey for your account.'),
    );
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Cancel');
  });

  step('renames it', async () => {
    await page.getByRole('button', { name: 'Rename Work laptop' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await press('Save');
    await see('Passkey renamed.');
    await page.getByRole('button', { name: 'Rename Laptop' }).waitFor();
  });

  step('signs in without a name, with the button', async () => {
    await signOut();
    await openSignIn();
    expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username webauthn');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-sign-in');
    await withFinger(() => press('Sign in with a passkey'), isIn);
    await see(/last used just now/);
    await saveScreenshot(page, 'sample-security');
  });

  step('signs in by the autofill of the email field', async () => {
    await signOut();
    await withFinger(openSignIn, isIn);
  });

  step('is refused with a clear message if the device does not recognize the user', async () => {
    await signOut();
    await openSignIn();
    await authenticator.setVerified(false);
    await withFinger(
      () => press('Sign in with a passkey'),
      () => see('your device couldn’t confirm that it’s you'),
    );
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-not-verified');
    await authenticator.setVerified(true);
  });

  step('signs in when a password manager has begun to synchronize it', async () => {
    const [id] = await authenticator.passkeys();
    await authenticator.synchronize(id);
    const signIns: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/passkey')) signIns.push(request.url());
    });
    // The options for the autofill come as late as those for the button, which takes its place.
    await withFinger(() => openSignIn().then(() => press('Sign in with a passkey')), isIn);
    await see('Synced');
    expect(signIns).toHaveLength(1);
  });

  step('confirms the identity with it', async () => {
    await ageProofs(local);
    await press('Set up');
    await dialog('Confirm that it is you').waitFor();
    await see('Use your fingerprint, face, screen lock or security key.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-step-up');
    await withFinger(
      () => press('Use passkey'),
      () => dialog('Set up your authenticator app').waitFor(),
    );
    await press('Cancel');
  });

  step('proves the second factor in the panel with it, without an authenticator app', async () => {
    await page.goto(local.at('Operators’ panel'));
    await enterPassword();
    await heading('Operators need a second factor');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Confirm that it is you');
    await button('Use passkey').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-panel-step-up');
    await withFinger(
      () => press('Use passkey'),
      () => heading('Overview'),
    );
    await press('Alma Admin');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
  });

  step('uses it as the second step after a password, in place of a code', async () => {
    await page.goto(at(SECURITY));
    await isIn(); // still, with the passkey
    const refreshed = await page.request.post(`${local.home}/api/v1/auth/refresh`, { headers: { 'X-Session': 'web' } });
    await enrol(local, ((await refreshed.json()) as { data: { accessToken: string } }).data.accessToken);
    await signOut();
    await openSignIn();
    await enterPassword();
    await heading('Use your passkey');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-second-step');
    await press('Use your authenticator app');
    await page.getByLabel('6-digit code').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Use your passkey');
    await withFinger(() => press('Use passkey'), isIn);
  });

  step('uses it in the panel as the second step', async () => {
    await page.goto(local.at('Operators’ panel'));
    await enterPassword();
    await button('Use passkey').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-panel-second-step');
    await authenticator.setVerified(false);
    await withFinger(
      () => press('Use passkey'),
      () => see('No passkey was used.'),
    );
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await authenticator.setVerified(true);
    await withFinger(
      () => press('Use passkey'),
      () => heading('Overview'),
    );
  });

  step('removes it, after which the browser does not offer it any more', async () => {
    await page.goto(at(SECURITY));
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Remove');
    await see('Passkey removed.');
    await see('None yet.');
    expect(await authenticator.passkeys()).toEqual([]);
  });

  step('keeps the last way to sign in', async () => {
    await signOut();
    await page.goto(at(`/login?to=${SECURITY}`));
    await page.getByRole('link', { name: 'Continue with GitHub' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('nora@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Nora');
    await press('Sign in');
    await isIn();
    await press('Add passkey');
    await withFinger(
      () => press('Continue'),
      () => see('Passkey added.'),
    );
    await page.getByRole('button', { name: 'Unlink GitHub' }).click();
    await press('Unlink');
    await see('Not linked. To link it, sign in with GitHub');
    await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
    await press('Remove');
    await see('Emailed links alone are not enough. Set a password or add a passkey first.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-last-way-in');
    expect(await authenticator.passkeys()).toHaveLength(1);
  });

  step('confirms the identity with a password in place of it', async () => {
    await press('Cancel');
    await press('Set password');
    await page.getByLabel('New password').fill(DEMO_PASSWORD);
    await dialog('Set a password').getByRole('button', { name: 'Set password' }).click();
    await see('Password set.');
    await ageProofs(local);
    await press('Set up');
    await press('Use another way');
    await page.getByLabel('Your password').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'passkey-step-up-password');
    await press('Use your passkey');
    await button('Use passkey').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Use another way');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Confirm');
    await dialog('Set up your authenticator app').waitFor();
  });
});
