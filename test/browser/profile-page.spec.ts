import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { uploadOf } from '../support/picture-files';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';

/** Sequential steps of one scenario. */
describe('the profile in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let owner: BrowserUser;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
    owner = await BrowserUser.open(browser, { timezoneId: 'America/New_York', locale: 'en-US' });
    ({ page } = owner);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(owner.errors).toEqual([]));

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel('Picture file').setInputFiles({ name, mimeType, buffer });

  step('opens on the account page', async () => {
    await page.goto(local.at('Sample client'));
    await page.getByLabel('Email').fill('owner@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await press('Sign in');
    await press('Account');
    await page.getByRole('menuitem', { name: /Your account/ }).click();
    await page.getByPlaceholder('As on this device (America/New York)').waitFor();
    await see('Until you choose one, emails use UTC.');
    await saveScreenshot(page, 'profile');
    expect(await complaintsAboutLooks(page)).toEqual([]);
  });

  step('takes a picture, and no other file', async () => {
    await choose('notes.txt', 'text/plain', Buffer.from('hello'));
    await see('Choose a PNG, JPEG, WebP or GIF image.');
    await choose('broken.png', 'image/png', Buffer.from('hello'));
    await see('This file can’t be read as an image.');
    await choose('large.png', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1));
    await see('Choose an image of at most 5 MB.');
    await choose('ada.jpg', 'image/jpeg', await uploadOf('jpeg', 900, 600));
    await see('Picture saved.');
    const shown = page.getByRole('img', { name: 'Your picture' });
    await shown.waitFor();
    const widthOnceLoaded = (image: HTMLImageElement) => image.decode().then(() => image.naturalWidth);
    expect(await shown.evaluate(widthOnceLoaded)).toBe(256);
    await saveScreenshot(page, 'profile-picture');
  });

  step('shows it to other members until it is removed', async () => {
    await page.getByRole('link', { name: 'Members' }).click();
    await page.locator('main img').first().waitFor();
    await page.goBack();
    await press('Remove');
    await see('Picture removed.');
    await page.getByRole('button', { name: 'Upload picture' }).waitFor();
  });

  step('writes dates in the chosen language and time zone', async () => {
    await page.getByLabel('Language').click();
    await page.getByRole('option', { name: 'English (United Kingdom)' }).click();
    await page.getByLabel('Time zone').fill('kolk');
    await page.getByRole('option', { name: 'Asia/Kolkata' }).click();
    await press('Save');
    await see('Profile saved.');
    const written = await page.evaluate(() =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Kolkata' }).format(new Date()),
    );
    await page.getByRole('link', { name: 'Projects' }).click();
    await see(new RegExp(written));
    await page.reload();
    await see(new RegExp(written));
  });

  step('keeps the choice, and takes it back', async () => {
    await press('Account');
    await page.getByRole('menuitem', { name: /Your account/ }).click();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Kolkata');
    await page.getByLabel('Time zone').fill('');
    await press('Save');
    await see('Profile saved.');
    await page.reload();
    await page.getByPlaceholder('As on this device (America/New York)').waitFor();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('');
  });
});
