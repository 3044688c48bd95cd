import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { accessibilityViolations, BrowserUser, saveScreenshot, type Locator, type Page } from './browser-user';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

describe('plans and prices in the sample client', () => {
  let local: LocalMode;
  let browser: Browser;
  let user: BrowserUser;
  let page: Page;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  beforeEach(async () => {
    user = await BrowserUser.open(browser, { locale: 'en-US' });
    page = user.page;
  });
  afterEach(async () => {
    expect(user.errors).toEqual([]);
    await user.close();
  });

  const app = () => local.at('Sample client');
  const signIn = async (email: string) => {
    await page.goto(app());
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  };
  const go = (place: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
  const plan = (name: string) => page.getByRole('region', { name, exact: true });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = () => page.getByRole('dialog');
  /** Fails if the page is wider than the window. */
  const fitsWindow = () => page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
  /** The page fits and is accessible on a phone and on a desktop, in light and in dark mode. */
  const isFineEverywhere = async () => {
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await fitsWindow();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityViolations(page)).toEqual([]);
      }
    }
  };

  it('shows visitors what each plan costs and allows, and leads them to an account', async () => {
    await page.goto(`${app()}/pricing`);
    await plan('Pro').getByText('$29').waitFor();
    await plan('Free').getByText('3 projects').waitFor();
    await plan('Pro').getByText('10 included, then $6 per member a month').waitFor();
    await plan('Business').getByText('Audit log export', { exact: true }).waitFor();
    await plan('Pro').getByText('No audit log export').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await saveScreenshot(page, 'sample-pricing');
    await page.setViewportSize(PHONE);
    await fitsWindow();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Try Pro for 14 days' }).click();
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  });

  it('marks the plan of the workspace, and names the prices of the others', async () => {
    await signIn('owner@example.com');
    await go('Billing');
    await plan('Pro').getByRole('button', { name: 'Current plan' }).waitFor();
    await plan('Business').getByText('$99').waitFor();
    await page.getByText('Visa ending in 4242', { exact: true }).waitFor();
    await page
      .getByText(/^Your trial ends on .+\. Then \$29 a month( plus tax)?, charged to Visa ending in 4242\.$/)
      .waitFor();
    await page.getByText('10 seats included, up to 50.').waitFor();
    await page.getByText(/^Expires 12\/20\d\d$/).waitFor();
    expect(await page.getByRole('link', { name: /^View invoice/ }).getAttribute('href')).toMatch(/\/invoice\/in_/);
    expect(await page.getByRole('link', { name: /^PDF of invoice/ }).getAttribute('href')).toMatch(/\/pdf$/);
    await isFineEverywhere();
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Navigation', exact: true }).waitFor();
    const left = async (text: Locator) => (await text.boundingBox())!.x;
    const summary = page.getByRole('heading', { name: 'Your subscription' });
    expect(await left(page.getByRole('button', { name: 'Manage subscription' }))).toBe(await left(summary));
  });

  it('shows yearly prices and those in another currency, and begins the checkout with them', async () => {
    await signIn('admin@example.com');
    await go('Billing');
    await page.getByRole('button', { name: /^Yearly/ }).click();
    await plan('Pro').getByText('$290').waitFor();
    await page.getByText('2 months free').waitFor();
    await page.getByRole('button', { name: 'EUR' }).click();
    await plan('Business').getByText('€920').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await press('Choose Business');
    await page.getByText('920.00 EUR per year').waitFor();
  });

  it('takes a promotion code, and says at its field when it is refused', async () => {
    await signIn('admin@example.com');
    await go('Billing');
    await plan('Pro').getByRole('button', { name: 'Have a promotion code?' }).click();
    await page.getByLabel('Promotion code').fill('SUMMER');
    await press('Choose Pro');
    await page.getByText('This code isn’t valid. Check it for typos.').waitFor();
    await isFineEverywhere();
    await page.getByLabel('Promotion code').fill(' welcome20 ');
    await press('Choose Pro');
    await page.getByRole('heading', { name: 'Subscribe to Pro' }).waitFor();
    await page.getByText('Discount: -5.80 USD').waitFor();
  });

  it('cancels a trial without a charge after saying what is lost, and keeps the plan', async () => {
    await signIn('owner@example.com');
    await page.getByRole('button', { name: 'New project' }).waitFor();
    for (const name of ['Loom', 'Mill']) {
      await press('New project');
      await page.getByLabel('Project name').fill(name);
      await press('Create project');
      await dialog().waitFor({ state: 'detached' });
    }
    await go('Billing');
    await press('Cancel plan');
    await dialog()
      .getByText(/^You keep Pro until .+, when the trial ends\. Nothing is charged\./)
      .waitFor();
    await dialog().getByText('3 projects instead of unlimited').waitFor();
    await dialog().getByText('You have 4. All stay readable, but you can’t add any.').waitFor();
    await dialog().getByText('30 days of audit log instead of 1 year').waitFor();
    await isFineEverywhere();
    await dialog().getByRole('button', { name: 'Keep Pro' }).click();
    await dialog().waitFor({ state: 'detached' });
    await press('Switch to Free');
    await dialog().getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByText(/^Pro ends on .+ and isn’t renewed\.$/).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel plan' }).count()).toBe(0);
    await isFineEverywhere();
    await press('Keep Pro');
    await page.getByText('Pro continues.').waitFor();
    await page.getByText(/^Pro was canceled/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel plan' }).waitFor();
  });

  it('tells members without access to billing whom to ask', async () => {
    await signIn('member@example.com');
    await page.goto(`${app()}/billing`);
    await page.getByText('Your role doesn’t include billing. Ask the workspace owner').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await isFineEverywhere();
  });

  it('shows members who only read billing no buttons that change it', async () => {
    await local.query(
      `UPDATE roles SET permissions = '{tenant.settings.read,tenant.billing.read}' WHERE name = 'Accountant'`,
    );
    await local.query(
      `UPDATE memberships SET role_id = (SELECT id FROM roles WHERE name = 'Accountant')
       WHERE user_id = (SELECT id FROM users WHERE email = 'member@example.com')`,
    );
    await signIn('member@example.com');
    await go('Billing');
    await page.getByText('You don’t have permission to change the plan.').waitFor();
    await page.getByText(/You don’t have permission to change it\.$/).waitFor();
    for (const name of ['Cancel plan', 'Keep Pro', 'Manage subscription', 'Have a promotion code?'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });

  it('schedules a change for the end of the period, and cancels it', async () => {
    await signIn('owner@example.com');
    await go('Billing');
    await press('Switch to Business');
    await dialog().getByText('Due today$0').waitFor();
    await dialog().getByText('$99 / month').waitFor();
    await dialog().getByText('Your trial continues.').waitFor();
    await dialog().getByLabel('Now: use Business for the rest of your trial').waitFor();
    await isFineEverywhere();
    await saveScreenshot(page, 'sample-change');
    await dialog()
      .getByLabel(/^When the trial ends, on .+: use Pro until then$/)
      .check();
    await dialog().getByText('Due today$0').waitFor();
    await dialog().getByRole('button', { name: 'Switch to Business' }).click();
    await page.getByText(/^Switches to Business on [^:]+: \$99 a month/).waitFor();
    await plan('Business').getByRole('button', { name: 'Scheduled' }).waitFor();
    await isFineEverywhere();
    await saveScreenshot(page, 'sample-scheduled');
    await press('Keep Pro monthly');
    await plan('Business').getByRole('button', { name: 'Switch to Business' }).waitFor();
    expect(await page.getByText(/^Switches to Business/).count()).toBe(0);
  });

  it('changes the plan at once for what Stripe computes, unless the payment method is declined', async () => {
    const [{ id: customer }] = await local.query<{ id: string }>(
      `SELECT processor_customer_id AS id FROM subscriptions WHERE processor_customer_id IS NOT NULL AND plan = 'Pro'`,
    );
    await local.press({ action: 'advance', days: '15' });
    await signIn('owner@example.com');
    await go('Billing');
    await page.getByText(/^Renews on /).waitFor();
    await local.press({ action: 'card', customer, card: 'declining' });
    await page.getByRole('button', { name: /^Yearly/ }).click();
    await press('Switch to yearly');
    await dialog().getByText('$290 / year').waitFor();
    await dialog().getByRole('button', { name: 'Switch to yearly' }).click();
    await dialog().getByText('Your payment method was declined, so nothing was changed.').waitFor();
    await dialog().getByRole('button', { name: 'Update payment' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await local.press({ action: 'card', customer, card: 'good' });
    await dialog().getByRole('button', { name: 'Switch to yearly' }).click();
    await page.getByText(/ Billed yearly\.$/).waitFor();
    await plan('Pro').getByRole('button', { name: 'Current plan' }).waitFor();
    await page.getByRole('row', { name: /Paid/ }).nth(2).waitFor();
  });

  it('leads signed-in visitors of the prices to the billing page of their workspace', async () => {
    await signIn('owner@example.com');
    await page.goto(`${app()}/pricing`);
    await page.getByRole('link', { name: 'Choose Business' }).click();
    await page.getByRole('heading', { name: 'Billing' }).waitFor();
    await page.waitForURL('**/app/w/*/billing');
  });
});
