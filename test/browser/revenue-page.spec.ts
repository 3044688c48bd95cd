import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { sequentialSteps } from './sequential-steps';
import { accessibilityViolations, saveScreenshot, BrowserUser, type Page } from './browser-user';

const STATES = [
  ['light', 1280],
  ['light', 390],
  ['dark', 390],
  ['dark', 1280],
] as const;

/** A hundred recorded days in two currencies, of which the 20th before today is missing. */
const DAYS = `
  INSERT INTO billing_days (day, plan, currency, recorded_at, active, past_due, trialing, mrr, past_due_mrr, trial_mrr,
    trials_started, conversions, churned, churned_mrr)
  SELECT (now() AT TIME ZONE 'UTC')::date - d, plan, currency, now(), n, n / 20, n / 10, n * amount, n / 20 * amount,
      n / 10 * amount, 2, 1, CASE WHEN d % 9 = 0 THEN 1 ELSE 0 END, CASE WHEN d % 9 = 0 THEN amount ELSE 0 END
    FROM generate_series(1, 100) d,
      (VALUES ('Pro', 'usd', 2900, 300), ('Business', 'usd', 9900, 160), ('Pro', 'eur', 2700, 180),
        ('Business', 'eur', 9200, 130)) AS line (plan, currency, amount, top),
      LATERAL (SELECT (top - d + d % 7) AS n) s
   WHERE d <> 20`;

/** The subscriptions of today, as the database counts them. */
const TODAY = `
  INSERT INTO row_count_changes (name, state, n)
  SELECT 'subscription_terms', jsonb_build_array(status, lower(status), plan, price, currency, null, null, null), n
    FROM (VALUES ('Pro', 'price_pro_monthly', 'usd', 290), ('Business', 'price_business_monthly', 'usd', 160),
        ('Pro', 'price_pro_monthly', 'eur', 180), ('Business', 'price_business_monthly', 'eur', 130))
        AS line (plan, price, currency, active),
      LATERAL (VALUES ('Active', active), ('PastDue', active / 20), ('Trialing', active / 10)) AS s (status, n)`;

/** Nothing was ever sold. The locks keep the job that folds counts from returning deleted ones. */
const NOTHING_SOLD = `
  LOCK TABLE row_count_changes, row_counts IN EXCLUSIVE MODE;
  UPDATE subscriptions SET processor_subscription_id = NULL;
  DELETE FROM billing_days;
  DELETE FROM row_counts WHERE name = 'subscription_terms';
  DELETE FROM row_count_changes WHERE name = 'subscription_terms'`;

/** Sequential steps of one scenario. */
describe('the revenue in the panel', () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: BrowserUser;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
    alma = await BrowserUser.open(browser);
    page = alma.page;
    await page.goto(`${local.at('Operators’ panel')}/users`);
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Mia Member' }).waitFor();
    await local.idle();
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const section = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
  const inDollars = () => section('Monthly recurring revenue in USD');

  step('shows the trial of the demo, from the first day on', async () => {
    await page.getByRole('link', { name: 'Revenue', exact: true }).click();
    await inDollars().getByText('$29.00').waitFor();
    expect(await inDollars().getByText('$0.00').count()).toBe(3);
    expect(await section('Trials').locator('a').innerText()).toMatch(/^1\s+Now$/);
    await see('Churn rate (after 30 days of data)');
    expect(await page.getByText('The history starts today').count()).toBe(4);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('shows recorded days by currency, on every screen and without violations of accessibility', async () => {
    await local.query(DAYS);
    await local.query(TODAY);
    await page.reload();
    await section('Monthly recurring revenue in EUR').locator('svg').first().waitFor();
    for (const [colorScheme, width] of STATES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await inDollars().locator('svg').first().waitFor();
      await page.waitForFunction((wanted) => document.documentElement.scrollWidth === wanted, width);
      expect(await accessibilityViolations(page)).toEqual([]);
    }
    await inDollars().getByText('$25,448').waitFor(); // 304 at $29 and 168 at $99, past due ones included
    await page.emulateMedia({ colorScheme: 'light' });
    await saveScreenshot(page, 'operators-revenue');
    expect(await section('Churn, last 30 days').innerText()).toMatch(/12\s+Subscriptions\s+\d\.\d %\s+Churn rate\s/);
  });

  step('reads another period on request', async () => {
    const asked = alma.nextRequest('/admin/revenue');
    await page.getByRole('button', { name: 'Year', exact: true }).click();
    expect(new URL((await asked).url()).searchParams.get('days')).toBe('366');
  });

  step('says how many subscriptions have an unknown amount', async () => {
    await local.query(`UPDATE subscriptions SET price_id = 'price_of_nobody' WHERE price_id IS NOT NULL`);
    await page.reload();
    await see('Subscriptions with an unknown amount: 1. They are not included in the amounts.');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  step('explains the empty page if nothing was ever sold', async () => {
    await local.query(NOTHING_SOLD);
    await page.reload();
    await see('No subscriptions yet');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
