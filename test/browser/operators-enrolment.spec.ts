import { readFileSync } from 'node:fs';
import { unusedCode } from './authenticator-codes';
import { saveScreenshot, type Page } from './browser-user';
import { complaintsAboutLooks } from './page-looks';
import { LocalMode } from './local-mode';
import { PanelOperator } from './panel-operator';
import { sequentialSteps } from './sequential-steps';

const ALMA = 'admin@example.com';

/** Sequential steps of one scenario. */
describe('an operator without a second factor, which the panel requires', () => {
  let operator: PanelOperator;
  let page: Page;
  let secret: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    operator = await PanelOperator.start(LocalMode.start({ ADMIN_SECOND_FACTOR: 'required' }));
    ({ page } = operator);
    await page.goto(operator.panel('/users'));
    await operator.signIn(ALMA);
  });
  afterAll(() => operator.stop());
  afterEach(() => expect(operator.alma.errors).toEqual([]));

  const heading = (name: string, at = page) => at.getByRole('heading', { name }).waitFor();
  const enterCode = async (code: string) => {
    await page.getByLabel('6-digit code').fill(code);
    await page.keyboard.press('Enter');
  };

  step('is asked for one, and can sign out instead', async () => {
    await heading('Operators need a second factor');
    await operator.see(`You’re signed in as ${ALMA}.`);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'operators-enrolment');
    await operator.press('Sign out');
    await operator.signIn(ALMA);
    await heading('Operators need a second factor');
  });

  step('adds the account to an authenticator app', async () => {
    await operator.press('Set up an authenticator app');
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    expect((await operator.focused()).name).toBe('code');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'operators-authenticator');
    await operator.press('Copy Key');
    await operator.see('Key copied.');
    secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await operator.see(secret.match(/.{4}/g)!.join(' '));
    await enterCode('000000');
    await operator.see('This code is incorrect, or it was already used.');
    expect(await operator.focused()).toMatchObject({ name: 'code', selection: '000000' });
    expect(await complaintsAboutLooks(page)).toEqual([]);
  });

  step('sees recovery codes until they are saved, also after another tab has become an operator', async () => {
    await enterCode(await unusedCode(operator.local, secret));
    await heading('Save your recovery codes');
    const codes = await page.getByRole('main').getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'operators-recovery-codes');
    const other = await operator.alma.newTab();
    await other.goto(operator.panel());
    await heading('Overview', other);
    await other.close();
    await operator.press('Copy Codes');
    await operator.see('Codes copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const file = readFileSync(await (await downloading).path(), 'utf8');
    expect(file.split('\n')).toEqual(expect.arrayContaining([expect.stringContaining(ALMA), ...codes]));
    expect(await page.getByRole('button', { name: 'Open the panel' }).isDisabled()).toBe(true);
  });

  step('arrives at the page that was requested', async () => {
    await page.getByLabel('I have saved my recovery codes').check();
    await operator.press('Open the panel');
    await heading('Users');
    await operator.local.email(ALMA, 'authenticator app');
  });

  step('is asked for a code at the next sign-in', async () => {
    await operator.press('Alma Admin');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await operator.signIn(ALMA);
    await enterCode(await unusedCode(operator.local, secret));
    await heading('Overview');
  });
});
