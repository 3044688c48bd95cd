import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { eventually } from '../support/eventually';
import { event, subscriptionObject } from '../support/stripe-events';
import { LocalMode } from './local-mode';
import { insertDemoHistory } from './demo-history';
import { sequentialSteps } from './sequential-steps';
import { accessibilityViolations, saveScreenshot, PICTURES, BrowserUser, type Page } from './browser-user';

/** Sequential steps of one scenario. */
describe('an operator in the panel', () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: BrowserUser;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
    alma = await BrowserUser.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = alma.page;
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const panel = (path = '') => `${local.at('Operators’ panel')}${path}`;
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const choose = async (label: string, option: string) => {
    await page.getByLabel(label).click();
    await page.getByRole('option', { name: option }).click();
  };
  const call = async (method: string, path: string, body: object, accessToken = '') => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${local.home}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const { success, data } = (await response.json()) as { success: boolean; data: Record<string, string> };
    expect([path, success]).toEqual([path, true]);
    return data;
  };
  /** The element with the keyboard focus, and what is selected in it. */
  const focused = () =>
    page.evaluate(() => {
      const { name, value, selectionStart, selectionEnd, role } = document.activeElement as HTMLInputElement;
      return { name, role, selection: value?.slice(selectionStart ?? 0, selectionEnd ?? 0) };
    });
  const signIn = async (email: string, at = page, password = DEMO_PASSWORD) => {
    await at.getByLabel('Email').fill(email);
    await at.getByLabel('Password').fill(password);
    await at.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  step('signs in to the requested page; other users are refused', async () => {
    await page.goto(panel('/users'));
    expect(await accessibilityViolations(page)).toEqual([]);
    await signIn('owner@example.com', page, 'not the password');
    await see('Incorrect email or password.');
    expect(await focused()).toMatchObject({ name: 'password', selection: 'not the password' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await signIn('owner@example.com');
    await see(/operator/i);
    expect(await page.getByText('member@example.com').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    await page.goto(panel('/users'));
    await signIn('admin@example.com');
    await see('member@example.com');
    expect(page.url()).toContain('/admin/users');
    await page.reload();
    await see('member@example.com');
  });

  step('shows statistics that link to their lists', async () => {
    if (PICTURES) await insertDemoHistory(local);
    await page.goto(panel());
    await see('Subscription sync');
    await page.locator('svg').first().waitFor();
    await saveScreenshot(page, 'overview');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: /Unverified/ }).click();
    await page.waitForURL(/unverified/);
    if (!PICTURES) await see('No results.');
  });

  step('opens the account menu inside the window', async () => {
    await page.goto(panel());
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    const item = (await page.getByRole('menuitem', { name: 'Sign out' }).boundingBox())!;
    expect(item.x + item.width).toBeLessThanOrEqual(page.viewportSize()!.width);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  step('starts with a closed menu in a narrow window, whatever was chosen in a wide one', async () => {
    const menu = page.getByRole('navigation', { name: 'Pages' });
    const toggle = page.getByRole('button', { name: /(open|close) menu/i });
    await toggle.click();
    await toggle.click(); // open again, and now remembered as such
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await see('Subscription sync');
    expect(await menu.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await menu.waitFor();
  });

  step('finds events by part of a name, and nothing by a malformed ID', async () => {
    await page.goto(panel('/webhook-events'));
    await page.getByRole('combobox', { name: 'Tenant' }).fill('acm');
    await page.getByRole('option', { name: 'Acme' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('option', { name: 'Acme' }).click();
    await page.waitForURL(/tenant/);
    const type = page.getByRole('combobox', { name: 'Type' });
    await type.fill('session.comp');
    await page.keyboard.press('Tab');
    await page.waitForURL(/%22session.comp%22/);
    expect(await type.inputValue()).toBe('session.comp');
    await page.getByRole('row').getByRole('link', { name: 'checkout.session.completed' }).waitFor();
    await page.reload();
    await page.getByRole('row').getByRole('link', { name: 'checkout.session.completed' }).waitFor();
    expect(await type.inputValue()).toBe('session.comp');
    await type.fill('checkout');
    await page.getByRole('option', { name: 'checkout.session.completed' }).click();
    await page.waitForURL(/%22checkout.session.completed%22/);
    await page.goto(panel('/webhook-events?filter={"tenant":"acme"}'));
    await see('No results.');
    await page.goto(panel('/tenants/acme/show'));
    await see('Tenant not found');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('shows an error that no filter has caused', async () => {
    const details = { cursor: ['is not valid'] };
    const failure = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request.', details } };
    await page.route(/v1.admin.tenants\?/, (route) => route.fulfill({ status: 400, json: failure }));
    await page.goto(panel('/tenants?filter={"plan":"Free"}'));
    await see('Invalid request: cursor is not valid.');
    expect(await page.getByText('No results.').count()).toBe(0);
    await page.unroute(/v1.admin.tenants\?/);
  });

  step('reads dates in English, with the clock of the browser', async () => {
    const german = await BrowserUser.open(browser, { locale: 'de-DE', timezoneId: 'Europe/Berlin' });
    await german.page.goto(panel('/users'));
    await signIn('admin@example.com', german.page);
    await german.page.getByRole('link', { name: 'Mia Member' }).click();
    const created = german.page.locator('dd time').first();
    const at = new Date((await created.getAttribute('datetime'))!);
    const part = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en', { ...options, timeZone: 'Europe/Berlin', hourCycle: 'h23' }).format(at);
    const time = part({ hour: '2-digit', minute: '2-digit' });
    expect(await created.textContent()).toContain(
      `${part({ month: 'short', day: 'numeric', year: 'numeric' })}, ${time}`,
    );
    await german.close();
  });

  step('names a deleted tenant in the audit log, without a link to it', async () => {
    const credentials = { email: 'owner@example.com', password: DEMO_PASSWORD };
    const { accessToken } = await call('POST', '/auth/login', credentials);
    const { id: tenantId } = await call('POST', '/tenants', { name: 'Second Corp' }, accessToken);
    const switched = await call('POST', '/auth/switch-tenant', { tenantId }, accessToken);
    await call('DELETE', '/tenants/current', { name: 'Second Corp' }, switched.accessToken);
    await page.goto(panel('/audit-log?filter={"action":"tenant.deleted"}'));
    await see('Second Corp (deleted)');
    expect(await page.getByRole('row').getByRole('link', { name: 'Second Corp' }).count()).toBe(0);
  });

  step('impersonates a user with a reason, sees the banner and stops', async () => {
    await page.goto(panel('/users'));
    await page.getByLabel('Search by email, name or ID').fill('mia member');
    await page.getByRole('link', { name: 'Mia Member' }).click();
    await see('Acme');
    expect(await accessibilityViolations(page)).toEqual([]);
    await press('Impersonate');
    await see('Impersonate Mia Member?');
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason').fill('Ticket 4711');
    expect(await accessibilityViolations(page)).toEqual([]);
    const clientTab = await alma.tabOpenedBy(() => press('Start'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('accessToken');
    await clientTab.getByText('You’re impersonating Mia Member').waitFor();
    expect(clientTab.url()).not.toContain('accessToken');
    await clientTab.reload();
    await clientTab.getByText('You’re impersonating Mia Member').waitFor();
    expect(await accessibilityViolations(clientTab)).toEqual([]);
    await saveScreenshot(clientTab, 'impersonating');
    await clientTab.getByRole('button', { name: 'Stop impersonating' }).click();
    await clientTab.waitForURL(/\/admin\/users\//);
    await clientTab.close();
    let lookups = 0;
    alma.onResponse('/admin/names', () => lookups++);
    await page.goto(panel('/audit-log'));
    await see('user.impersonated');
    await page.getByRole('row').getByRole('link', { name: 'Mia Member' }).first().waitFor();
    expect(lookups).toBe(1); // one for all names of the page
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('disables a user with a reason, and enables the user again', async () => {
    await page.goto(panel('/users'));
    await page.getByRole('link', { name: 'Mia Member' }).click();
    const dialog = page.getByRole('dialog');
    const failure = { success: false, error: { code: 'INTERNAL_ERROR', message: 'Failed.', requestId: 'r-1' } };
    await page.route('**/disable', (route) => route.fulfill({ status: 429, json: failure }));
    await press('Disable');
    await dialog.getByLabel('Reason (optional)').fill('Sends spam');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await focused()).toMatchObject({ role: 'alert' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.unroute('**/disable');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await press('Disable');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('');
    await dialog.getByLabel('Reason (optional)').fill('Sends spam');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await see('Mia Member is disabled.');
    await see('reason: Sends spam');
    await press('Enable');
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await see('Mia Member can sign in again.');
  });

  step('replays an event after its cause is fixed', async () => {
    const stranger = { tenantId: '', customerId: 'cus_late', subscriptionId: 'sub_late' };
    await local.deliver(event('customer.subscription.updated', { ...subscriptionObject(stranger), metadata: {} }));
    await page.goto(panel());
    await page.getByRole('link', { name: /Needs attention/ }).click();
    await page.getByRole('link', { name: 'customer.subscription.updated' }).first().click();
    await see('leads to a tenant');
    expect(await accessibilityViolations(page)).toEqual([]);
    await press('Replay');
    await see('Status: needs attention');
    await local.query(`INSERT INTO subscriptions (tenant_id, plan, status, processor_customer_id, updated_at)
      SELECT id, 'Free', 'Active', 'cus_late', now() FROM tenants WHERE name LIKE 'Alma%'
      ON CONFLICT (tenant_id) DO UPDATE SET processor_customer_id = 'cus_late'`);
    await press('Replay');
    await see('Status: processed');
  });

  step('retries one and several jobs, and deletes one', async () => {
    for (const key of ['one', 'two', 'three', 'four']) {
      await local.query(
        `SELECT graphile_worker.add_job('purge-webhook-events', '{"command":{},"requestId":"browser"}',
          job_key => $1, run_at => now() + interval '1 hour')`,
        [key],
      );
    }
    await local.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'The disk is full.'
        WHERE key IN ('one', 'two', 'three', 'four')`,
    );
    await page.goto(panel());
    await page.getByRole('link', { name: /Dead/ }).first().click();
    await see('purge-webhook-events');
    await saveScreenshot(page, 'jobs');
    expect(await accessibilityViolations(page)).toEqual([]);
    const job = page.getByRole('link', { name: 'purge-webhook-events' }).last();
    const address = (await job.getAttribute('href'))!;
    await job.click();
    await see('The disk is full.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await press('Retry now');
    await page.getByText('This job is no longer in the queue').waitFor({ timeout: 30_000 });
    await page.goBack();
    // the cached list is shown until it is reloaded
    await page.locator(`a[href="${address}"]`).first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'purge-webhook-events' }).last().click();
    await press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await see('Job deleted.');
    // the service itself adds jobs now and then
    await page.goto(panel('/jobs?filter={"task":"purge-webhook-events"}'));
    await page.getByRole('checkbox').first().check();
    await press('Retry');
    await see('2 scheduled for retry.');
    await see('No results.');
  });

  step('overrides a subscription after a warning, and the sync reverts it', async () => {
    await page.goto(panel('/tenants'));
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('acm');
    await page.getByRole('link', { name: 'Acme' }).click();
    await see('Olga Owner');
    await saveScreenshot(page, 'tenant');
    expect(await accessibilityViolations(page)).toEqual([]);
    await press('Copy Stripe customer');
    await see('Stripe customer copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^cus_\w+$/);
    const override = async (status: string) => {
      await press('Override');
      await see('may revert it');
      expect(await accessibilityViolations(page)).toEqual([]);
      await choose('Status', status);
      await page.getByLabel('Reason').fill('Chargeback');
      await page.getByRole('dialog').getByRole('button', { name: 'Override' }).click();
      await see(`Acme is now Pro, ${status.toLowerCase()}`);
    };
    await press('Override');
    await choose('Plan', 'Business');
    await choose('Status', 'Past due');
    await page.getByLabel('Reason').fill('Dropped');
    await press('Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Override');
    for (const [field, value] of [
      ['Plan', 'Pro'],
      ['Status', 'Trialing'],
    ])
      await page.getByRole('dialog').getByLabel(field).getByText(value, { exact: true }).waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('');
    await press('Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const isTrialing = () => page.locator('dd').getByText('Trialing', { exact: true }).waitFor();
    await override('Canceled');
    await press('Sync now');
    await see('Synced: Pro, trialing.');
    await isTrialing();
    await override('Paused');
    const acme = page.url();
    await page.goto(panel());
    await press('Sync all');
    await see('Sync started.');
    const countCorrectedRuns = async () => {
      await page.reload();
      await page.locator('td[data-number="Corrected"]').first().waitFor();
      return page
        .locator('td[data-number="Corrected"]')
        .filter({ hasText: /^[1-9]/ })
        .count();
    };
    await eventually(
      async () => ((await countCorrectedRuns()) > 0 ? true : undefined),
      'a sync run that corrected a subscription',
      30_000,
    );
    await page.goto(acme);
    await isTrialing();
  });

  step('reconnects after an outage', async () => {
    const user = await BrowserUser.open(browser);
    await user.page.goto(panel('/users'));
    await signIn('admin@example.com', user.page);
    await user.page.getByRole('link', { name: 'Mia Member' }).waitFor();
    await user.page.route('**/api/v1/admin/**', (route) => route.abort());
    await user.page.getByRole('link', { name: 'Tenants' }).click();
    await user.page.getByText('Reconnecting…').waitFor();
    expect(await accessibilityViolations(user.page)).toEqual([]);
    await user.page.unroute('**/api/v1/admin/**');
    await user.page.getByRole('link', { name: 'Acme' }).waitFor();
    await user.page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await user.close();
  });

  step('stays signed in if the sign-out fails, and shows the error', async () => {
    const failure = { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests' } };
    await page.route('**/auth/logout', (route) => route.fulfill({ status: 429, json: failure }));
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await see(/too many requests/i);
    await page.unroute('**/auth/logout');
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
  });

  step('works on a phone in dark mode', async () => {
    const phone = await BrowserUser.open(browser, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await phone.page.goto(panel('/users'));
    await signIn('admin@example.com', phone.page);
    for (const path of ['/users', '', '/tenants', '/revenue', '/webhook-events', '/jobs', '/audit-log']) {
      await phone.page.goto(panel(path));
      await phone.page.getByRole('heading', { level: 1 }).waitFor();
      await phone.page.waitForLoadState('networkidle');
      await phone.page.waitForFunction('!document.querySelector("[aria-label=Loading]")');
      expect([path, await phone.page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
      expect(await accessibilityViolations(phone.page)).toEqual([]);
    }
    expect(phone.errors).toEqual([]);
    await phone.close();
  });
});
