import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { eventually } from '../support/eventually';
import { grantAuditStreams } from './audit-stream-grant';
import { ageProofs } from './authenticator-codes';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { complaintsAboutLooks } from './page-looks';
import { sequentialSteps } from './sequential-steps';
import { WebhookReceiver } from './webhook-receiver';

/** Sequential steps of one scenario. */
describe('webhooks and audit streams, in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let receiver: WebhookReceiver;
  let alma: BrowserUser;
  let page: Page;
  let secret: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser, receiver] = await Promise.all([LocalMode.shared(), openBrowser(), WebhookReceiver.start()]);
    alma = await BrowserUser.open(browser);
    ({ page } = alma);
  });
  afterAll(() => Promise.all([browser.close(), local.stop(), receiver.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp, on = page) => on.getByText(text).first().waitFor();
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const dialog = (name: string) => page.getByRole('dialog', { name });
  /** The label of the control with the keyboard focus. */
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const section = (title: string) => page.locator('section', { has: page.getByRole('heading', { name: title }) });
  const open = async (on: Page, email: string) => {
    await on.goto(`${local.at('Sample client')}/login?to=/webhooks`);
    await on.getByLabel('Email').fill(email);
    await on.getByLabel('Password').fill(DEMO_PASSWORD);
    await on.getByRole('button', { name: 'Sign in', exact: true }).click();
    await on.waitForURL('**/app/w/*/webhooks');
  };
  /** Presses a button that opens a dialog, and the one in it. */
  const confirm = async (button: string, title: string, submit = button) => {
    await press(button);
    await dialog(title).getByRole('button', { name: submit, exact: true }).click();
  };
  /** A date and time as in a field for both, in any time zone within a day. */
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  /** Reloads the page until a text is on it. */
  const reloadUntil = (text: string) =>
    eventually(async () => {
      await page.reload();
      await heading('Security monitoring');
      return (await page.getByText(text, { exact: true }).count()) > 0 || undefined;
    }, `“${text}” on the page`);
  const received = (count: number) =>
    eventually(() => Promise.resolve(receiver.received[count - 1]), `request ${count} to the receiver`, 20_000);

  step('are hidden from members without the permission, also by their address', async () => {
    const mia = await BrowserUser.open(browser);
    await open(mia.page, 'member@example.com');
    await see('You don’t have permission to do this.', mia.page);
    const menu = mia.page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Projects' }).waitFor();
    expect(await menu.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(mia.errors).toEqual([]);
    await mia.close();
  });

  step('are created with an address and events, after a proof of the identity', async () => {
    await open(page, 'admin@example.com'); // whose workspace has no webhook
    await see('No webhooks yet.');
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Endpoint URL').fill('http://example.com/hooks');
    await page.getByLabel('Selected events').check();
    await press('Create webhook');
    await see('Must contain at least one type.');
    await page.getByLabel('A project was created').check();
    await press('Create webhook');
    await see('Nothing can be sent there.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'webhook-new');
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await page.getByLabel('Description').fill('Data warehouse');
    await ageProofs(local);
    await press('Create webhook');
    await page.getByLabel('Your password').fill(DEMO_PASSWORD);
    await press('Confirm');
  });

  step('show their secret once', async () => {
    await dialog('Webhook created').waitFor();
    secret = (await page.getByRole('status', { name: 'signing secret' }).textContent())!;
    expect(secret).toMatch(/^whsec_/);
    await see('It is not shown again.');
    await page.keyboard.press('Escape');
    await saveScreenshot(page, 'webhook-secret');
    await press('Done');
    await heading('Data warehouse');
    await page.getByRole('link', { name: 'webhook.verification' }).waitFor();
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    await page.reload();
    await see('project.created');
    expect(await page.getByText(secret).count()).toBe(0);
  });

  step('show a test event that failed, with the answer, and its success later', async () => {
    receiver.status = 500;
    await press('Send test event');
    expect(receiver.isSigned(await received(1), secret)).toBe(true);
    receiver.status = 200;
    await page.getByRole('link', { name: 'webhook.test' }).click();
    await heading('webhook.test');
    await see('The receiver answered with the status 500.');
    await see('answer 500');
    await see('Retrying');
    await see('"type": "webhook.test"');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'webhook-delivery');
    await see('Delivered');
    await see('answer 200');
    await page.getByRole('link', { name: '← Data warehouse' }).click();
  });

  step('list their deliveries by state, and send one or all of a span again', async () => {
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await see('No such deliveries.');
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Delivered' }).click();
    await page.getByRole('link', { name: 'webhook.test' }).click();
    await page.getByRole('button', { name: /^Send again webhook.test/ }).click();
    await see('It is being sent again.');
    const [first, , third] = [await received(1), await received(2), await received(3)];
    expect(third.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await page.getByRole('link', { name: '← Data warehouse' }).click();
    await press('Send again');
    await dialog('Send deliveries again').getByLabel('Which').click();
    await page.getByRole('option', { name: 'All, also delivered ones' }).click();
    await dialog('Send deliveries again').getByLabel('Created in').click();
    await page.getByRole('option', { name: 'Another span' }).click();
    await dialog('Send deliveries again').getByRole('button', { name: 'Send again' }).click();
    await see('Choose a date and a time.');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'webhook-replay');
    await page.getByLabel('From').fill(inDays(-2));
    await page.getByLabel('To', { exact: true }).fill(inDays(2));
    await dialog('Send deliveries again').getByRole('button', { name: 'Send again' }).click();
    await see('The deliveries are being sent again.');
    await received(4);
  });

  step('get a new secret, and are disabled, enabled, edited and deleted', async () => {
    await confirm('Replace secret', 'Replace the secret?');
    await dialog('Secret replaced').waitFor();
    expect(await page.getByRole('status', { name: 'signing secret' }).textContent()).not.toBe(secret);
    await press('Done');
    await see('Messages are signed with them, too, until');
    await confirm('Disable', 'Disable this webhook?');
    await see('by a member of this workspace.');
    expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'webhook');
    await confirm('Enable', 'Enable this webhook?');
    await section('Endpoint').getByText('Enabled').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('All events').check();
    await press('Save webhook');
    await see('Webhook saved.');
    await section('Endpoint').getByText('All events').waitFor();
    await page.getByRole('link', { name: '← Webhooks' }).click();
    await page.getByRole('link', { name: receiver.url }).waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await confirm('Delete', 'Delete this webhook?');
    await see('No webhooks yet.');
  });

  step('audit streams are offered with the plan that has them', async () => {
    await page.getByRole('link', { name: 'Audit streams' }).click();
    await see('Audit streams are part of Business.');
    await see('No audit streams yet.');
    expect(await page.getByRole('link', { name: 'New audit stream' }).count()).toBe(0);
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'audit-streams-upgrade');
    await page.goto(`${page.url()}/new`);
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await press('Create audit stream');
    await see('Your plan doesn’t include this.');
    await see('Business includes it.');
    await grantAuditStreams(local, /\/w\/([^/]+)/.exec(page.url())![1]);
    await page.reload();
    await page.getByRole('link', { name: '← Audit streams' }).click();
    await page.getByRole('link', { name: 'New audit stream' }).waitFor();
  });

  step('audit streams send the audit log from a chosen time on, signed with a secret shown once', async () => {
    await page.getByRole('link', { name: 'New audit stream' }).click();
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await page.getByLabel('Description').fill('Security monitoring');
    await page.getByLabel('Authorization header').fill('Bearer 7f3c9a');
    await page.getByLabel('Begins with').click();
    await page.getByRole('option', { name: 'A date' }).click();
    await press('Create audit stream');
    await see('Choose a date.');
    await page.getByLabel('Date').fill(inDays(-2).slice(0, 10));
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'audit-stream-new');
    receiver.received.length = 0;
    await press('Create audit stream');
    await dialog('Audit stream created').waitFor();
    secret = (await page.getByRole('status', { name: 'signing secret' }).textContent())!;
    await press('Done');
    await heading('Security monitoring');
    const request = await received(1);
    expect(receiver.isSigned(request, secret)).toBe(true);
    expect(request.headers.authorization).toBe('Bearer 7f3c9a');
    expect(request.body).toContain('audit-log.entries');
    await reloadUntil('Up to date');
    expect(await page.getByText(secret).count()).toBe(0);
  });

  step('audit streams show what their receiver answers to a test', async () => {
    receiver.status = 500;
    await press('Send test request');
    await dialog('The test failed').getByText('answer 500').waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'audit-stream-test');
    receiver.status = 200;
    await press('Send again');
    await dialog('The receiver accepted the test').getByText('answer 200').waitFor();
    await press('Close');
    expect(await focused()).toBe('Send test request');
  });

  step('audit streams get a new secret, and are paused, resumed, edited and deleted', async () => {
    await confirm('Replace secret', 'Replace the secret?');
    await dialog('Secret replaced').waitFor();
    await press('Done');
    expect(await focused()).toBe('Replace secret');
    await confirm('Pause', 'Pause this audit stream?');
    await see(/^Paused on .* by a member of this workspace\./);
    expect(await focused()).toBe('Resume');
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'audit-stream');
    await confirm('Resume', 'Resume this audit stream?');
    await section('Endpoint').getByText('Active').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Authorization header').click();
    await page.getByRole('option', { name: 'Remove it' }).click();
    await press('Save audit stream');
    await see('Audit stream saved.');
    await section('Endpoint').getByText('No header').waitFor();
    await page.getByRole('link', { name: '← Audit streams' }).click();
    await page.getByRole('link', { name: receiver.url }).waitFor();
    expect(await complaintsAboutLooks(page)).toEqual([]);
    await saveScreenshot(page, 'audit-streams');
    await page.getByRole('link', { name: receiver.url }).click();
    await confirm('Delete', 'Delete this audit stream?');
    await see('No audit streams yet.');
  });
});
