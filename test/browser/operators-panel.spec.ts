import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { eventually } from '../support/eventually';
import { event, subscriptionObject } from '../support/stripe-events';
import { LocalMode } from './local-mode';
import { inventPast } from './demo-history';
import { story } from './sequential-steps';
import { barriersOn, keepPicture, PICTURES, Visitor, type Page } from './browser-user';

/** One story, told in order: each part goes on where the one before has ended. */
describe("an operator's day in the panel", () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: Visitor;
  let page: Page;
  const part = story();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
    alma = await Visitor.arrive(browser);
    page = alma.page;
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.wrong).toEqual([]));

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
  const signIn = async (email: string, at = page) => {
    await at.getByLabel('Email').fill(email);
    await at.getByLabel('Password').fill(DEMO_PASSWORD);
    await at.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  part('begins at the page that was asked for, after signing in; who is no operator does not come in', async () => {
    await page.goto(panel('/users'));
    expect(await barriersOn(page)).toEqual([]);
    await signIn('owner@example.com');
    await see(/operator/i);
    expect(await page.getByText('member@example.com').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByLabel('Email').waitFor();
    await page.goto(panel('/users'));
    await signIn('admin@example.com');
    await see('member@example.com');
    expect(page.url()).toContain('/admin/users');
    await page.reload();
    await see('member@example.com');
  });

  part('sees how things are, and every number leads to what it counts', async () => {
    if (PICTURES) await inventPast(local);
    await page.goto(panel());
    await see('Subscription sync');
    await page.locator('svg').first().waitFor();
    await keepPicture(page, 'overview');
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('link', { name: /Unverified/ }).click();
    await page.waitForURL(/unverified/);
    if (!PICTURES) await see('No results.');
  });

  part('opens the account menu inside the window', async () => {
    await page.goto(panel());
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    const item = (await page.getByRole('menuitem', { name: 'Sign out' }).boundingBox())!;
    expect(item.x + item.width).toBeLessThanOrEqual(page.viewportSize()!.width);
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  part('keeps the menu of a narrow window closed, whatever was chosen in a wide one', async () => {
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

  part('finds events by a part of a name, and nothing by a malformed ID', async () => {
    await page.goto(panel('/webhook-events'));
    await page.getByRole('combobox', { name: 'Tenant' }).fill('acm');
    await page.getByRole('option', { name: 'Acme' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('option', { name: 'Acme' }).click();
    await page.waitForURL(/tenant/);
    await page.getByRole('combobox', { name: 'Type' }).fill('checkout');
    await page.keyboard.press('Enter');
    await page.waitForURL(/checkout.session.completed/);
    await page.getByRole('row').getByRole('link', { name: 'checkout.session.completed' }).waitFor();
    await page.goto(panel('/webhook-events?filter={"tenant":"acme"}'));
    await see('No results.');
    await page.goto(panel('/tenants/acme/show'));
    await see('Tenant not found');
    expect(await barriersOn(page)).toEqual([]);
  });

  part('names a deleted tenant in the audit log, without a link to it', async () => {
    const credentials = { email: 'owner@example.com', password: DEMO_PASSWORD };
    const { accessToken } = await call('POST', '/auth/login', credentials);
    const { id: tenantId } = await call('POST', '/tenants', { name: 'Second Corp' }, accessToken);
    const switched = await call('POST', '/auth/switch-tenant', { tenantId }, accessToken);
    await call('DELETE', '/tenants/current', { name: 'Second Corp' }, switched.accessToken);
    await page.goto(panel('/audit-log?filter={"action":"tenant.deleted"}'));
    await see('Second Corp (deleted)');
    expect(await page.getByRole('row').getByRole('link', { name: 'Second Corp' }).count()).toBe(0);
  });

  part('finds a person, acts as them with a reason, is told so on every page, and leaves', async () => {
    await page.goto(panel('/users'));
    await page.getByLabel('Search by email, name or ID').fill('mia member');
    await page.getByRole('link', { name: 'Mia Member' }).click();
    await see('Acme');
    expect(await barriersOn(page)).toEqual([]);
    await press('Impersonate');
    await see('Impersonate Mia Member?');
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason').fill('Ticket 4711');
    expect(await barriersOn(page)).toEqual([]);
    const acting = await alma.tabOf(() => press('Start'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('accessToken');
    await acting.getByText('You’re impersonating Mia Member').waitFor();
    expect(acting.url()).not.toContain('accessToken');
    await acting.reload();
    await acting.getByText('You’re impersonating Mia Member').waitFor();
    expect(await barriersOn(acting)).toEqual([]);
    await keepPicture(acting, 'impersonating');
    await acting.getByRole('button', { name: 'Stop impersonating' }).click();
    await acting.waitForURL(/\/admin\/users\//);
    await acting.close();
    let asked = 0;
    alma.onAnswer('/admin/names', () => asked++);
    await page.goto(panel('/audit-log'));
    await see('user.impersonated');
    await page.getByRole('row').getByRole('link', { name: 'Mia Member' }).first().waitFor();
    expect(asked).toBe(1); // for all names of the page
    expect(await barriersOn(page)).toEqual([]);
  });

  part('replays an event that was parked, once what it needs is there', async () => {
    const stranger = { tenantId: '', customerId: 'cus_late', subscriptionId: 'sub_late' };
    await local.deliver(event('customer.subscription.updated', { ...subscriptionObject(stranger), metadata: {} }));
    await page.goto(panel());
    await page.getByRole('link', { name: /Needs attention/ }).click();
    await page.getByRole('link', { name: 'customer.subscription.updated' }).first().click();
    await see('leads to a tenant');
    expect(await barriersOn(page)).toEqual([]);
    await press('Replay');
    await see('Status: needs attention');
    await local.query(`INSERT INTO subscriptions (tenant_id, plan, status, processor_customer_id, updated_at)
      SELECT id, 'Free', 'Active', 'cus_late', now() FROM tenants WHERE name LIKE 'Alma%'
      ON CONFLICT (tenant_id) DO UPDATE SET processor_customer_id = 'cus_late'`);
    await press('Replay');
    await see('Status: processed');
  });

  part('has failed jobs tried again, one and many, and takes one out', async () => {
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
    await keepPicture(page, 'jobs');
    expect(await barriersOn(page)).toEqual([]);
    const job = page.getByRole('link', { name: 'purge-webhook-events' }).last();
    const address = (await job.getAttribute('href'))!;
    await job.click();
    await see('The disk is full.');
    expect(await barriersOn(page)).toEqual([]);
    await press('Retry now');
    await page.getByText('This job is no longer in the queue').waitFor({ timeout: 30_000 });
    await page.goBack();
    await page.locator(`a[href="${address}"]`).first().waitFor({ state: 'detached' }); // the list is shown as it was, until it is read again
    await page.getByRole('link', { name: 'purge-webhook-events' }).last().click();
    await press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await see('Job deleted.');
    // the service has jobs of its own now and then
    await page.goto(panel('/jobs?filter={"task":"purge-webhook-events"}'));
    await page.getByRole('checkbox').first().check();
    await press('Retry');
    await see('2 scheduled for retry.');
    await see('No results.');
  });

  part('overrides a subscription, warned that the sync may revert it, and the sync does', async () => {
    await page.goto(panel('/tenants'));
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('acm');
    await page.getByRole('link', { name: 'Acme' }).click();
    await see('Olga Owner');
    await keepPicture(page, 'tenant');
    expect(await barriersOn(page)).toEqual([]);
    const override = async (status: string) => {
      await press('Override');
      await see('may revert it');
      expect(await barriersOn(page)).toEqual([]);
      await choose('Status', status);
      await page.getByLabel('Reason').fill('Chargeback');
      await page.getByRole('dialog').getByRole('button', { name: 'Override' }).click();
      await see(`Acme is now Pro, ${status.toLowerCase()}`);
    };
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
    const looksAgain = async () => {
      await page.reload();
      await page.locator('td[data-number="Corrected"]').first().waitFor();
      return page
        .locator('td[data-number="Corrected"]')
        .filter({ hasText: /^[1-9]/ })
        .count();
    };
    await eventually(
      async () => ((await looksAgain()) > 0 ? true : undefined),
      'a comparison that has corrected something',
      30_000,
    );
    await page.goto(acme);
    await isTrialing();
  });

  part('reconnects by itself after an outage', async () => {
    const visitor = await Visitor.arrive(browser);
    await visitor.page.goto(panel('/users'));
    await signIn('admin@example.com', visitor.page);
    await visitor.page.getByRole('link', { name: 'Mia Member' }).waitFor();
    await visitor.page.route('**/api/v1/admin/**', (route) => route.abort());
    await visitor.page.getByRole('link', { name: 'Tenants' }).click();
    await visitor.page.getByText('Reconnecting…').waitFor();
    expect(await barriersOn(visitor.page)).toEqual([]);
    await visitor.page.unroute('**/api/v1/admin/**');
    await visitor.page.getByRole('link', { name: 'Acme' }).waitFor();
    await visitor.page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await visitor.leave();
  });

  part('stays signed in while the service does not take it, and is told so', async () => {
    const refusal = { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests' } };
    await page.route('**/auth/logout', (route) => route.fulfill({ status: 429, json: refusal }));
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await see(/too many requests/i);
    await page.unroute('**/auth/logout');
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
  });

  part('does all that on a phone, in the dark, too', async () => {
    const phone = await Visitor.arrive(browser, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await phone.page.goto(panel('/users'));
    await signIn('admin@example.com', phone.page);
    for (const path of ['/users', '', '/tenants', '/webhook-events', '/jobs', '/audit-log']) {
      await phone.page.goto(panel(path));
      await phone.page.getByRole('heading', { level: 1 }).waitFor();
      await phone.page.waitForLoadState('networkidle');
      await phone.page.waitForFunction('!document.querySelector("[aria-label=Loading]")');
      expect([path, await phone.page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
      expect(await barriersOn(phone.page)).toEqual([]);
    }
    expect(phone.wrong).toEqual([]);
    await phone.leave();
  });
});
