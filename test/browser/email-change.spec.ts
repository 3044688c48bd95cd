import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { ageProofs } from './authenticator-codes';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';

const MIA = 'member@example.com';
const NEW = 'mia@home.example.com';
const PASSWORD = 'a brand new horse';

/** Sequential steps of one scenario. */
describe('a change of the email address, in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let mia: BrowserUser;
  let page: Page;
  let link: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
    mia = await BrowserUser.open(browser);
    ({ page } = mia);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(mia.errors).toEqual([]));

  const at = (path: string) => `${local.at('Sample client')}${path}`;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  const logIn = async (email: string, password: string) => {
    await page.goto(at('/login?to=/account'));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press('Sign in');
  };
  const ask = async (email: string) => {
    await page.getByLabel('New email address').fill(email);
    await page.keyboard.press('Enter');
  };

  step('begins on the page of the account', async () => {
    await logIn(MIA, DEMO_PASSWORD);
    await heading('Email address');
    await see(MIA);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'account');
    await press('Change email address');
    await dialog('Change your email address').waitFor();
    expect(await focused()).toBe('email');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'email-change-address');
  });

  step('is refused at the field for an invalid, the present and a taken address', async () => {
    await ask('');
    await see('Enter your new email address.');
    await ask('nonsense');
    await see('Enter a valid email address.');
    await ask(MIA);
    await see('This is already your email address.');
    await ask('owner@example.com');
    await see('Another account uses this address.');
    expect(await focused()).toBe('email');
    expect(await complaintsAboutLooks(page)).toEqual([]);
  });

  step('asks for the identity, and then for the code of the new mailbox', async () => {
    await ageProofs(local);
    await ask(NEW);
    await dialog('Confirm that it is you').getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Confirm');
    await dialog('Confirm your new email address').waitFor();
    await see(`We sent a code to ${NEW}.`);
    await dialog('Confirm that it is you').waitFor({ state: 'detached' });
    expect(await focused()).toBe('code');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'email-change-code');
  });

  step('names a wrong code, sends a new one, and takes the right one', async () => {
    const { text } = await local.email(NEW, 'confirm your new email address');
    const code = /\n(\d{6})\n/.exec(text)![1];
    await page.getByLabel('6-digit code').fill('12');
    await press('Change email address');
    await see('Enter the 6 digits of the code.');
    await page.getByLabel('6-digit code').fill(code === '000000' ? '111111' : '000000');
    await press('Change email address');
    await see('This code is incorrect, was already used or has expired.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await press('Cancel');
    await dialog('Confirm your new email address').waitFor({ state: 'detached' });
    await press('Change email address');
    await ask(NEW);
    await see(`We sent a code to ${NEW}.`);
    await press('Send a new code');
    await see('Sent. It can take a minute to arrive.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    const newest = await local.newestCode(NEW, 3);
    await page.getByLabel('6-digit code').fill(newest);
    await page.keyboard.press('Enter');
    await see(`Your email address is now ${NEW}.`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('main').getByText(NEW, { exact: true }).waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
  });

  step('shows the new address where the account is shown, and signs in with it', async () => {
    await press('Account');
    await page.getByRole('menu').getByText(NEW).waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await logIn(MIA, DEMO_PASSWORD);
    await see('Incorrect email or password.');
    await logIn(NEW, DEMO_PASSWORD);
    await heading('Email address');
  });

  step('is undone from the earlier mailbox, where programs that open links undo nothing', async () => {
    link = await local.emailedLink(MIA, 'the email address of your account was changed');
    const owner = await BrowserUser.open(browser);
    await owner.page.goto(link);
    await owner.page.getByRole('heading', { name: 'Undo the change of your email address?' }).waitFor();
    await owner.page.getByText('it was added more than three days before the change.').waitFor();
    expect(await complaintsAboutLooks(owner.page)).toEqual([]);
    await saveScreenshot(owner.page, 'undo-email-change');
    await page.reload();
    await page.getByRole('main').getByText(NEW, { exact: true }).waitFor();
    await owner.page.getByRole('button', { name: 'Undo the change' }).click();
    await owner.page.getByRole('heading', { name: 'The change is undone' }).waitFor();
    expect(await complaintsAboutLooks(owner.page)).toEqual([]);
    await owner.page.goto('about:blank');
    await owner.page.goto(link);
    await owner.page.getByRole('button', { name: 'Undo the change' }).click();
    await owner.page.getByRole('heading', { name: 'This change can’t be undone any more' }).waitFor();
    expect(await complaintsAboutLooks(owner.page)).toEqual([]);
    expect(owner.errors).toEqual([]);
    await owner.close();
    await page.reload();
    await page.getByLabel('Email').waitFor(); // the thief is signed out
  });

  step('leaves the earlier mailbox as the way in', async () => {
    await logIn(NEW, DEMO_PASSWORD);
    await see('Incorrect email or password.');
    await page.goto(at('/forgot-password'));
    await page.getByLabel('Email').fill(MIA);
    await page.keyboard.press('Enter');
    await page.goto(await local.emailedLink(MIA, 'reset your password'));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading('Password updated');
    await logIn(MIA, PASSWORD);
    await heading('Email address');
    await page.getByRole('main').getByText(MIA, { exact: true }).waitFor();
  });

  step('is secured from there by the link of a security email, which says what is removed', async () => {
    await page.goto(await local.emailedLink(MIA, 'your password was reset'));
    await heading('Secure your account');
    await see('your password, passkeys and linked sign-in providers are removed.');
    await see('An authenticator app stays only if it was added more than three days ago.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'secure-account');
    await press('Secure my account');
    await heading('Your account is secured');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await logIn(MIA, PASSWORD);
    await see('Incorrect email or password.');
  });
});
