import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { sequentialSteps } from './sequential-steps';
import { accessibilityViolations, saveScreenshot, BrowserUser, type Page } from './browser-user';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Sequential steps of one scenario. */
describe('an operator with the tenants', () => {
  let local: LocalMode;
  let browser: Browser;
  let alma: BrowserUser;
  let page: Page;
  const step = sequentialSteps();
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
    alma = await BrowserUser.open(browser, { locale: 'en-US' });
    page = alma.page;
    await page.goto(`${local.at('Operators’ panel')}/tenants`);
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tenant('Acme').waitFor();
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));
  afterEach(() => expect(alma.errors).toEqual([]));

  const tenant = (name: string | RegExp) => page.getByRole('link', { name });
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = () => page.getByRole('dialog');
  /** Fails if the page is wider than the window or not accessible, on a wide screen and a phone. */
  const check = async (picture: string) => {
    for (const [viewport, suffix] of [
      [PHONE, '-phone'],
      [WIDE, ''],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
      expect(await accessibilityViolations(page)).toEqual([]);
      await saveScreenshot(page, `${picture}${suffix}`);
    }
  };

  step('extends a trial with a reason, and sees the new end', async () => {
    await tenant('Acme').click();
    const end = page.locator('dt', { hasText: 'Trial ends' }).locator('xpath=following-sibling::dd[1]').locator('time');
    const before = new Date((await end.getAttribute('datetime'))!);
    await press('Extend trial');
    const confirm = dialog().getByRole('button', { name: 'Extend', exact: true });
    await dialog().getByLabel('Reason').fill('Security review');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog().getByRole('button', { name: '+14 days' }).click();
    const chosen = await dialog().getByLabel('Last day of the trial').inputValue();
    const days = (Date.parse(`${chosen}T00:00:00Z`) - before.getTime()) / 86_400_000;
    expect([Math.floor(days), Math.ceil(days)]).toContain(14);
    await check('operators-trial');
    await confirm.click();
    await see(/^The trial of Acme ends on /);
    await dialog().waitFor({ state: 'detached' });
    await page.waitForFunction(
      ([was, now]) => [...document.querySelectorAll('time')].some(({ dateTime }) => dateTime > was && dateTime >= now),
      [before.toISOString(), chosen],
    );
    await page.getByText('subscription.trial-extension-requested').first().waitFor();
  });

  step('sees why an end is refused', async () => {
    await press('Extend trial');
    await dialog().getByRole('button', { name: '+30 days' }).click();
    await dialog().getByLabel('Reason').fill('Again');
    const failure = {
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Invalid.',
        details: { endsAt: ['must be at most 90 days from now'] },
      },
    };
    await page.route('**/trial', (route) => route.fulfill({ status: 400, json: failure }));
    await dialog().getByRole('button', { name: 'Extend', exact: true }).click();
    await dialog().getByText('must be at most 90 days from now', { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.unroute('**/trial');
    await press('Cancel');
    await dialog().waitFor({ state: 'detached' });
  });

  step('finds tenants by a feature and by an override, and sees until when', async () => {
    await press('Grant plan or limits');
    await dialog().getByLabel('Audit export').click();
    await page.getByRole('option', { name: 'Included', exact: true }).click();
    await dialog().getByLabel('Last day').fill('2099-12-31');
    await dialog().getByLabel('Reason').fill('Pilot');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await see('Entitlements of Acme updated.');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tenants' }).click();
    const others = page.getByRole('link', { name: /^Alma/ });
    await others.first().waitFor();
    const filter = async (label: string, option: string) => {
      await page.getByRole('search').getByLabel(label).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await filter('Feature', 'Audit export');
    await others.first().waitFor({ state: 'detached' });
    await tenant('Acme').waitFor();
    await filter('Override', 'Active');
    await page.waitForURL(/override/);
    await see('Override until Dec 31, 2099');
    await check('operators-tenants');
    await page.reload();
    await see('Override until Dec 31, 2099');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export CSV')]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toEqual([expect.stringContaining('overrideEndsAt'), expect.stringContaining('Acme')]);
    await filter('Override', 'None');
    await see('No results.');
    await page.goto(`${local.at('Operators’ panel')}/tenants`);
    await tenant('Acme').click();
  });

  step('removes a sign-in policy that locks everyone out', async () => {
    await see('Members may sign in by any method.');
    await local.query(`INSERT INTO sign_in_policies
      (tenant_id, second_factor_from, max_session_hours, allowed_methods, max_token_days, updated_at)
      SELECT id, now(), 12, '{passkey,google}', 0, now() FROM tenants WHERE name = 'Acme'`);
    await page.reload();
    for (const text of ['Passkey, Google', '12 h', 'Not allowed']) await see(text);
    await check('operators-policy');
    await press('Remove policy');
    await see('Remove the sign-in policy of Acme?');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Remove policy', exact: true }).click();
    await see('The sign-in policy of Acme is removed.');
    await see('Members may sign in by any method.');
    expect(await page.getByRole('button', { name: 'Remove policy' }).count()).toBe(0);
    await see('sign-in-policy.removed');
  });

  step('sees that a plan whose first invoice was never paid is not in force', async () => {
    const seeLimitOfProjects = async (placeholder: string) => {
      await page.reload();
      await press('Change override');
      await dialog().getByLabel('Projects').and(dialog().getByPlaceholder(placeholder)).waitFor();
      await press('Cancel');
    };
    await seeLimitOfProjects('Plan: unlimited');
    await local.idle();
    await local.query(`UPDATE subscriptions SET status = 'PastDue', processor_status = 'incomplete'
      WHERE tenant_id = (SELECT id FROM tenants WHERE name = 'Acme')`);
    await seeLimitOfProjects('Plan: 3');
  });

  step('cannot extend a subscription that is not in a trial', async () => {
    await local.press({ action: 'advance', days: '40' });
    await press('Sync now');
    await see(/^Synced: Pro, active/);
    await page.getByRole('button', { name: 'Extend trial' }).waitFor({ state: 'detached' });
  });
});
