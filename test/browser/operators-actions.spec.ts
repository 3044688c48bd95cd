import { DEMO_PASSWORD } from '../../dev/demo-users';
import { eventually } from '../support/eventually';
import { event, subscriptionObject } from '../support/stripe-events';
import { accessibilityViolations, saveScreenshot, PICTURES, BrowserUser, type Page } from './browser-user';
import { insertDemoHistory } from './demo-history';
import { LocalMode } from './local-mode';
import { PanelOperator } from './panel-operator';
import { sequentialSteps } from './sequential-steps';

/** Sequential steps of one scenario. */
describe('an operator who acts on users, events, jobs and subscriptions', () => {
  let operator: PanelOperator;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    operator = await PanelOperator.start(LocalMode.start());
    ({ page } = operator);
    if (PICTURES) await insertDemoHistory(operator.local);
    await page.goto(operator.panel('/users'));
    await operator.signIn('admin@example.com');
    await operator.see('member@example.com');
  });
  afterAll(() => operator.stop());
  afterEach(() => expect(operator.alma.errors).toEqual([]));

  step('names a deleted tenant in the audit log, without a link to it', async () => {
    const credentials = { email: 'owner@example.com', password: DEMO_PASSWORD };
    const { accessToken } = await operator.local.call('POST', '/auth/login', credentials);
    const { id: tenantId } = await operator.local.call('POST', '/tenants', { name: 'Second Corp' }, accessToken);
    const switched = await operator.local.call('POST', '/auth/switch-tenant', { tenantId }, accessToken);
    await operator.local.call('DELETE', '/tenants/current', { name: 'Second Corp' }, switched.accessToken);
    await page.goto(operator.panel('/audit-log?filter={"action":"tenant.deleted"}'));
    await operator.see('Second Corp (deleted)');
    expect(await page.getByRole('row').getByRole('link', { name: 'Second Corp' }).count()).toBe(0);
  });

  step('impersonates a user with a reason, sees the banner and stops', async () => {
    await page.goto(operator.panel('/users'));
    await page.getByLabel('Search by email, name or ID').fill('mia member');
    await page.getByRole('link', { name: 'Mia Member' }).click();
    await operator.see('Acme');
    expect(await accessibilityViolations(page)).toEqual([]);
    await operator.press('Impersonate');
    await operator.see('Impersonate Mia Member?');
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason').fill('Ticket 4711');
    expect(await accessibilityViolations(page)).toEqual([]);
    const clientTab = await operator.alma.tabOpenedBy(() => operator.press('Start'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('accessToken');
    await clientTab.getByText('You’re impersonating Mia Member').waitFor();
    expect(clientTab.url()).not.toContain('accessToken');
    await clientTab.reload();
    await clientTab.getByText('You’re impersonating Mia Member').waitFor();
    expect(await accessibilityViolations(clientTab)).toEqual([]);
    await saveScreenshot(clientTab, 'impersonating');
    for (const name of ['Members', 'Projects', 'Members']) {
      await clientTab.getByRole('link', { name, exact: true }).click();
      await clientTab.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    }
    expect(await clientTab.getByText('The impersonation of').count()).toBe(0);
    await clientTab.getByText('You’re impersonating Mia Member').waitFor();
    await clientTab.getByRole('button', { name: 'Stop impersonating' }).click();
    await clientTab.waitForURL(/\/admin\/users\//);
    await clientTab.close();
    let lookups = 0;
    operator.alma.onResponse('/admin/names', () => lookups++);
    await page.goto(operator.panel('/audit-log'));
    await operator.see('user.impersonated');
    await page.getByRole('row').getByRole('link', { name: 'Mia Member' }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(lookups).toBe(1); // one for all names of the page
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('disables a user with a reason, and enables the user again', async () => {
    await page.goto(operator.panel('/users'));
    await page.getByRole('link', { name: 'Mia Member' }).click();
    const dialog = page.getByRole('dialog');
    const failure = { success: false, error: { code: 'INTERNAL_ERROR', message: 'Failed.', requestId: 'r-1' } };
    await page.route('**/disable', (route) => route.fulfill({ status: 429, json: failure }));
    await operator.press('Disable');
    await dialog.getByLabel('Reason (optional)').fill('Sends spam');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await operator.focused()).toMatchObject({ role: 'alert' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.unroute('**/disable');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await operator.press('Disable');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('');
    await dialog.getByLabel('Reason (optional)').fill('Sends spam');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await operator.see('Mia Member is disabled.');
    await operator.see('reason: Sends spam');
    await operator.press('Enable');
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await operator.see('Mia Member can sign in again.');
  });

  step('replays an event after its cause is fixed', async () => {
    const stranger = { tenantId: '', customerId: 'cus_late', subscriptionId: 'sub_late' };
    await operator.local.deliver(
      event('customer.subscription.updated', { ...subscriptionObject(stranger), metadata: {} }),
    );
    await page.goto(operator.panel());
    await page.getByRole('link', { name: /Needs attention/ }).click();
    await page.getByRole('link', { name: 'customer.subscription.updated' }).first().click();
    await operator.see('leads to a tenant');
    expect(await accessibilityViolations(page)).toEqual([]);
    await operator.press('Replay');
    await operator.see('Status: needs attention');
    await operator.local.query(`INSERT INTO subscriptions (tenant_id, plan, status, processor_customer_id, updated_at)
      SELECT id, 'Free', 'Active', 'cus_late', now() FROM tenants WHERE name LIKE 'Alma%'
      ON CONFLICT (tenant_id) DO UPDATE SET processor_customer_id = 'cus_late'`);
    await operator.press('Replay');
    await operator.see('Status: processed');
  });

  step('retries one and several jobs, and deletes one', async () => {
    for (const key of ['one', 'two', 'three', 'four']) {
      await operator.local.query(
        `SELECT graphile_worker.add_job('purge-webhook-events', '{"command":{},"requestId":"browser"}',
          job_key => $1, run_at => now() + interval '1 hour')`,
        [key],
      );
    }
    await operator.local.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'The disk is full.'
        WHERE key IN ('one', 'two', 'three', 'four')`,
    );
    await page.goto(operator.panel());
    await page.getByRole('link', { name: /Dead/ }).first().click();
    await operator.see('purge-webhook-events');
    await saveScreenshot(page, 'jobs');
    expect(await accessibilityViolations(page)).toEqual([]);
    const job = page.getByRole('link', { name: 'purge-webhook-events' }).last();
    const address = (await job.getAttribute('href'))!;
    await job.click();
    await operator.see('The disk is full.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await operator.press('Retry now');
    await page.getByText('This job is no longer in the queue').waitFor({ timeout: 30_000 });
    await page.goBack();
    // the cached list is shown until it is reloaded
    await page.locator(`a[href="${address}"]`).first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'purge-webhook-events' }).last().click();
    await operator.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await operator.see('Job deleted.');
    // the service itself adds jobs now and then
    await page.goto(operator.panel('/jobs?filter={"task":"purge-webhook-events"}'));
    await page.getByRole('checkbox').first().check();
    await operator.press('Retry');
    await operator.see('2 scheduled for retry.');
    await operator.see('No results.');
  });

  step('overrides a subscription after a warning, and the sync reverts it', async () => {
    await page.goto(operator.panel('/tenants'));
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('acm');
    // the click would be lost if the list were reloaded at the same time
    await page.getByRole('link', { name: /^Alma.s workspace$/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Acme' }).click();
    await operator.see('Olga Owner');
    await saveScreenshot(page, 'tenant');
    expect(await accessibilityViolations(page)).toEqual([]);
    await operator.press('Copy Stripe customer');
    await operator.see('Stripe customer copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^cus_\w+$/);
    const override = async (status: string) => {
      await operator.press('Correct local status');
      await operator.see('may revert it');
      expect(await accessibilityViolations(page)).toEqual([]);
      await operator.choose('Status', status);
      await page.getByLabel('Reason').fill('Chargeback');
      await page.getByRole('dialog').getByRole('button', { name: 'Correct', exact: true }).click();
      await operator.see(`Acme is now Pro, ${status.toLowerCase()}`);
    };
    await operator.press('Correct local status');
    await operator.choose('Plan', 'Business');
    await operator.choose('Status', 'Past due');
    await page.getByLabel('Reason').fill('Dropped');
    await operator.press('Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await operator.press('Correct local status');
    for (const [field, value] of [
      ['Plan', 'Pro'],
      ['Status', 'Trialing'],
    ])
      await page.getByRole('dialog').getByLabel(field).getByText(value, { exact: true }).waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('');
    await operator.press('Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const isTrialing = () => page.locator('dd').getByText('Trialing', { exact: true }).waitFor();
    await override('Canceled');
    await operator.press('Sync now');
    await operator.see('Synced: Pro, trialing.');
    await isTrialing();
    await override('Paused');
    const acme = page.url();
    await page.goto(operator.panel());
    await operator.press('Sync all');
    await operator.see('Sync started.');
    await page.goto(acme);
    const isRestored = async () => {
      await page.reload();
      const status = page.locator('dd').getByText(/^(Paused|Trialing)$/);
      await status.waitFor();
      return (await status.textContent()) === 'Trialing';
    };
    await eventually(isRestored, 'the status that the sync restores', 30_000);
    await page.goto(operator.panel());
    await page
      .locator('td[data-number="Corrected"]')
      .filter({ hasText: /^[1-9]/ })
      .first()
      .waitFor();
  });

  step('works on a phone in dark mode', async () => {
    const phone = await BrowserUser.open(operator.browser, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await phone.page.goto(operator.panel('/users'));
    await operator.signIn('admin@example.com', phone.page);
    for (const path of ['/users', '', '/tenants', '/revenue', '/webhook-events', '/jobs', '/audit-log']) {
      await phone.page.goto(operator.panel(path));
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
