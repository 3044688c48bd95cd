import { accessibilityViolations, saveScreenshot, PICTURES, BrowserUser, type Page } from './browser-user';
import { insertDemoHistory } from './demo-history';
import { LocalMode } from './local-mode';
import { PanelOperator } from './panel-operator';
import { sequentialSteps } from './sequential-steps';

/** Sequential steps of one scenario. */
describe('an operator in the panel', () => {
  let operator: PanelOperator;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    operator = await PanelOperator.start(LocalMode.shared());
    ({ page } = operator);
  });
  afterAll(() => operator.stop());
  afterEach(() => expect(operator.alma.errors).toEqual([]));

  step('signs in to the requested page; other users are refused', async () => {
    await page.goto(operator.panel('/users'));
    expect(await accessibilityViolations(page)).toEqual([]);
    await operator.signIn('owner@example.com', page, 'not the password');
    await operator.see('Incorrect email or password.');
    expect(await operator.focused()).toMatchObject({ name: 'password', selection: 'not the password' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await operator.signIn('owner@example.com');
    await page.getByRole('heading', { name: 'This panel is for operators' }).waitFor();
    expect(await page.getByText('member@example.com').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    await page.goto(operator.panel('/users'));
    await operator.signIn('admin@example.com');
    await operator.see('member@example.com');
    expect(page.url()).toContain('/admin/users');
    await page.reload();
    await operator.see('member@example.com');
  });

  step('stays at a search result whose script loads longer than the search waits for the next key', async () => {
    const script = /user-detail-[^/]*\.js$/;
    await page.goto(operator.panel('/users'));
    await page.route(script, async (route) => {
      await page.waitForTimeout(1500);
      await route.continue();
    });
    await page.getByLabel('Search by email, name or ID').fill('mia');
    await page.getByRole('link', { name: 'Mia Member' }).click();
    await page.getByRole('button', { name: 'Impersonate' }).waitFor();
    expect(page.url()).toMatch(/\/admin\/users\/[\w-]+\/show$/);
    await page.unroute(script);
  });

  step('shows statistics that link to their lists', async () => {
    if (PICTURES) await insertDemoHistory(operator.local);
    await page.goto(operator.panel());
    await operator.see('Subscription sync');
    await page.locator('svg').first().waitFor();
    await saveScreenshot(page, 'overview');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: /Unverified/ }).click();
    await page.waitForURL(/unverified/);
    if (!PICTURES) await operator.see('No results.');
  });

  step('names prices at Stripe that belong to no plan', async () => {
    await operator.local.query(`INSERT INTO sync_runs (id, slot, started_at, finished_at, unknown, unknown_prices)
      VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff', now(), now(), now(), 2, '{price_a,price_b}')`);
    await page.goto(operator.panel());
    await operator.see('Prices that belong to no plan: price_a, price_b');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('opens the account menu inside the window', async () => {
    await page.goto(operator.panel());
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
    await operator.see('Subscription sync');
    expect(await menu.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await menu.waitFor();
  });

  step('finds events by part of a name, and nothing by a malformed ID', async () => {
    await page.goto(operator.panel('/webhook-events'));
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
    await page.goto(operator.panel('/webhook-events?filter={"tenant":"acme"}'));
    await operator.see('No results.');
    await page.goto(operator.panel('/tenants/acme/show'));
    await operator.see('Tenant not found');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('shows an error that no filter has caused', async () => {
    const details = { cursor: ['is not valid'] };
    const failure = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request.', details } };
    await page.route(/v1.admin.tenants\?/, (route) => route.fulfill({ status: 400, json: failure }));
    await page.goto(operator.panel('/tenants?filter={"plan":"Free"}'));
    await operator.see('Invalid request: cursor is not valid.');
    expect(await page.getByText('No results.').count()).toBe(0);
    await page.unroute(/v1.admin.tenants\?/);
  });

  step('reads dates in English, with the clock of the browser', async () => {
    const german = await BrowserUser.open(operator.browser, { locale: 'de-DE', timezoneId: 'Europe/Berlin' });
    await german.page.goto(operator.panel('/users'));
    await operator.signIn('admin@example.com', german.page);
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

  step('reconnects after an outage', async () => {
    const user = await BrowserUser.open(operator.browser);
    await user.page.goto(operator.panel('/users'));
    await operator.signIn('admin@example.com', user.page);
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
    await operator.see(/too many requests/i);
    await page.unroute('**/auth/logout');
    await page.getByRole('button', { name: 'Alma Admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
  });
});
