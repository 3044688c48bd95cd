import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { LocalMode } from './local-mode';
import { sequentialSteps } from './sequential-steps';
import { accessibilityViolations, saveScreenshot, BrowserUser, type Page } from './browser-user';

const PASSWORD = 'correct horse battery';

/** Sequential steps of one scenario. */
describe('a customer in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let ada: BrowserUser;
  let max: BrowserUser;
  let customer: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
    [ada, max] = await Promise.all([
      BrowserUser.open(browser),
      BrowserUser.open(browser, { viewport: { width: 390, height: 844 } }),
    ]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect([...ada.errors, ...max.errors]).toEqual([]));

  const go = (page: Page, place: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
  const fill = (page: Page, typed: Record<string, string>) =>
    Object.entries(typed).reduce(
      (before, [label, value]) => before.then(() => page.getByLabel(label, { exact: true }).fill(value)),
      Promise.resolve(),
    );
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  step('registers and verifies the email address', async () => {
    const { page } = ada;
    await page.goto(local.at('Sample client'));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await fill(page, { 'Your name': 'Ada', Email: 'ada@example.com', Password: 'short' });
    await press(page, 'Create account');
    await page.locator('[aria-invalid=true]').waitFor();
    await fill(page, { Password: PASSWORD });
    await press(page, 'Create account');
    await see(page, 'Check your inbox');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.goto(await local.emailedLink('ada@example.com', 'verify'));
    await page.getByRole('button', { name: "Workspace Ada's workspace" }).waitFor();
    await page.waitForURL('**/app/w/*/projects');
    await page.reload();
    await page.getByRole('button', { name: "Workspace Ada's workspace" }).waitFor();
  });

  step('shows errors as sentences, also to signed-out visitors', async () => {
    const { page } = max;
    await page.goto(`${local.at('Sample client')}#error=PROVIDER_DENIED`);
    await see(page, 'You canceled the sign-in.');
    expect(page.url()).not.toContain('error');
    await page.goto(`${local.at('Sample client')}/login`);
    await fill(page, { Email: 'ada@example.com', Password: 'not it at all' });
    await press(page, 'Sign in');
    await see(page, 'Incorrect email or password.');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('invites a teammate with a custom role, who joins on a phone', async () => {
    const { page } = ada;
    await go(page, 'Roles');
    await page.getByRole('link', { name: 'New role' }).click();
    await fill(page, { 'Role name': 'Engineer' });
    for (const permission of [
      'tenant.settings.read',
      'tenant.members.read',
      'tenant.projects.read',
      'tenant.projects.manage',
    ])
      await page.getByRole('checkbox', { name: permission }).check();
    await saveScreenshot(page, 'sample-role');
    await press(page, 'Create role');
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    await go(page, 'Members');
    await press(page, 'Invite');
    await fill(page, { Email: 'max@example.com' });
    await page.getByLabel('Role').click();
    await page.getByRole('option', { name: 'Engineer' }).click();
    await press(page, 'Send invitation');
    await see(page, 'Invitation sent to max@example.com.');

    await max.page.goto(await local.emailedLink('max@example.com', 'invited to a workspace'));
    await see(max.page, "Ada invited you to join Ada's workspace as Engineer.");
    expect(await accessibilityViolations(max.page)).toEqual([]);
    await fill(max.page, { 'Your name': 'Max', Password: 'another fine one' });
    await press(max.page, 'Create account and join');
    await max.page.getByRole('button', { name: "Workspace Ada's workspace" }).waitFor();
    await page.reload();
    await see(page, 'max@example.com');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('reaches the Free limit and is offered an upgrade', async () => {
    const { page } = ada;
    await go(page, 'Projects');
    for (const [index, name] of ['Loom', 'Mill', 'Engine'].entries()) {
      await see(page, `${index} of 3 projects`);
      await press(page, 'New project');
      await fill(page, { 'Project name': name });
      await press(page, 'Create project');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await see(page, '3 of 3 projects');
    await press(page, 'New project');
    await see(page, 'Free includes 3 projects. Pro has no limit.');
    await see(page, 'Deleting a project frees a place. Archived projects count, too.');
    expect(await page.getByLabel('Project name').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'sample-limit');
    await press(page, 'Close');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await see(page, 'You’ve reached the limit of Free.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'See plans' }).click();
    await see(page, '3 of 3 projects');
    await page.getByRole('button', { name: 'Choose Pro' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'sample-billing');
  });

  step('upgrades to Pro after a declined card', async () => {
    const { page } = ada;
    await press(page, 'Choose Pro');
    await press(page, 'Pay with a declined card');
    await page.getByRole('alert').waitFor();
    await press(page, 'Pay with a working card');
    await see(page, 'Thank you! Your workspace is now on Pro.');
    await see(page, '14 days left in your Pro trial.');
    await go(page, 'Projects');
    await press(page, 'New project');
    await fill(page, { 'Project name': 'Tables' });
    await press(page, 'Create project');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await see(page, 'Tables');
    const sql = `SELECT s.processor_customer_id AS id FROM subscriptions s JOIN tenants t ON t.id = s.tenant_id
      WHERE t.name LIKE 'Ada%'`;
    [{ id: customer }] = await local.query<{ id: string }>(sql);
  });

  step('is notified of a failed payment by banner, notification and email', async () => {
    const { page } = ada;
    await local.press({ action: 'card', customer, card: 'declining' });
    await local.press({ action: 'advance', days: '15' });
    await page.getByRole('button', { name: 'Update payment' }).waitFor(); // in the banner, on the page that was open
    await max.page.reload();
    await see(max.page, /failed. Please contact the workspace owner./);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: /Notifications/ }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByText('The last payment for Pro failed.').waitFor();
    await saveScreenshot(page, 'sample-past-due');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor(); // opening has marked all as read
    await local.email('ada@example.com', 'failed');
  });

  step('updates the card in the portal, and the subscription recovers', async () => {
    const { page } = ada;
    await press(page, 'Update payment');
    await press(page, 'Use a working card');
    await see(page, /working card/);
    await page.getByRole('link', { name: /Back to/ }).click();
    await see(page, 'Renews on');
    await local.email('ada@example.com', 'received');
    await page.getByText('The last payment').waitFor({ state: 'detached' });
  });

  step('cancels in the portal and sees the end date', async () => {
    const { page } = ada;
    await press(page, 'Manage subscription');
    await press(page, 'Cancel at the end of the period');
    await page.getByRole('link', { name: /Back to/ }).click();
    await see(page, /Pro ends on .* After that, this workspace is on Free/);
    await page.getByRole('button', { name: /Notifications/ }).click();
    await page
      .getByRole('dialog', { name: 'Notifications' })
      .getByText(/Pro was canceled and ends on/)
      .waitFor();
  });
});
