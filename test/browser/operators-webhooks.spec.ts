import { DEMO_USERS, DEMO_PASSWORD } from '../../dev/demo-users';
import { grantAuditStreams } from './audit-stream-grant';
import { eventually } from '../support/eventually';
import { accessibilityViolations, saveScreenshot, type Page } from './browser-user';
import { LocalMode } from './local-mode';
import { PanelOperator } from './panel-operator';
import { sequentialSteps } from './sequential-steps';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Sequential steps of one scenario. */
describe('webhooks and audit streams in local mode', () => {
  let operator: PanelOperator;
  let page: Page;
  let token: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    operator = await PanelOperator.start(LocalMode.start());
    page = operator.page;
    const owner = { email: DEMO_USERS[1].email, password: DEMO_PASSWORD };
    token = (await operator.local.call('POST', '/auth/login', owner)).accessToken;
  });
  afterAll(() => operator.stop());
  afterEach(() => expect(operator.alma.errors).toEqual([]));

  const project = (name: string) => operator.local.call('POST', '/tenants/current/projects', { name }, token);
  const request = (text: string | RegExp) => page.getByRole('navigation').getByRole('button', { name: text });
  const filter = async (state: string) => {
    await page.getByRole('search').getByLabel('State').click();
    await page.getByRole('option', { name: state, exact: true }).click();
  };
  /** Fails if the page is wider than the window or not accessible, on a phone and a wide screen. */
  const check = async (picture: string) => {
    for (const [viewport, suffix] of [
      [PHONE, '-phone'],
      [WIDE, ''],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityViolations(page)).toEqual([]);
      }
      await saveScreenshot(page, `${picture}${suffix}`);
    }
  };

  step('the catcher shows a new project of the demo tenant at once, and verifies it', async () => {
    await page.goto(operator.local.at('Webhook catcher'));
    await project('Difference engine');
    await request(/project\.created.*Signature verified/).waitFor();
    await operator.see(/"name": "Difference engine"/);
    await operator.see('webhook-signature');
    await check('webhook-catcher');
  });

  step('the catcher fails on demand, and refuses what is no secret', async () => {
    await page.getByText('Answers:').click();
    await page.getByLabel('Answer', { exact: true }).selectOption('500, an error');
    await page.getByLabel('For the next').fill('1');
    await operator.press('Apply');
    await operator.see('500 for the next 1');
    await project('Analytical engine');
    await request(/Answered: 500/).waitFor();
    await page.getByText('Secret of another endpoint').click();
    await page.getByLabel('Secret', { exact: true }).fill('swordfish');
    await operator.press('Verify');
    await page.getByRole('alert').waitFor();
    await check('webhook-catcher-failed');
  });

  step('the panel lists the failing endpoint first', async () => {
    await page.getByLabel('For the next').fill('');
    await operator.press('Apply');
    await page.getByText('Answers: 500').waitFor();
    await operator.press('Clear');
    await project('Loom');
    await request(/project\.created.*Answered: 500/)
      .first()
      .waitFor();
    await page.goto(operator.panel('/webhook-endpoints'));
    await operator.signIn(DEMO_USERS[0].email);
    await operator.see('Webhook catcher of local mode');
    await check('webhook-endpoints');
    await filter('Disabled');
    await operator.see('No webhook endpoint matches the filters.');
    await filter('Clear value'); // shown as Any
    await operator.see('Webhook catcher of local mode');
  });

  step('an operator disables the endpoint with a reason, and enables it again', async () => {
    await page.getByRole('link', { name: /^127\.0\.0\.1/ }).click();
    await operator.see('Status 500');
    await operator.press('Disable');
    await page.getByLabel('Reason').fill('Ticket 4713');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
    await operator.see('By an operator');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await check('webhook-endpoint');
    await operator.press('Enable');
    await page.getByRole('dialog').getByRole('button', { name: 'Enable', exact: true }).click();
    await operator.see('Healthy');
  });

  step('the panel lists deliveries of all tenants, with filters and a link to the tenant', async () => {
    await page.getByRole('link', { name: 'View all' }).click();
    await page.waitForURL(/webhook-deliveries/);
    await operator.see('project.created');
    await check('webhook-deliveries');
    await page.getByRole('link', { name: 'Acme' }).first().click();
    await page.getByRole('heading', { name: 'Webhook endpoints' }).waitFor();
    await page.getByRole('link', { name: /^127\.0\.0\.1/ }).waitFor();
  });

  step('the panel lists audit streams of all tenants, and an operator disables one', async () => {
    const [, tenantId] = /\/tenants\/([^/]+)/.exec(page.url())!;
    await grantAuditStreams(operator.local, tenantId);
    const stream = { url: `${operator.local.at('Webhook catcher')}/catch/audit`, description: 'Security monitoring' };
    await operator.local.call('POST', '/tenants/current/audit-streams', stream, token);
    // The catcher answers 500: the list, which begins with failing ones, soon shows the stream.
    const isListed = async () => {
      await page.goto(operator.panel('/audit-streams'));
      const row = page.getByText('Security monitoring').first();
      return row.waitFor({ timeout: 2000 }).then(
        () => true,
        () => undefined,
      );
    };
    await eventually(isListed, 'the failing stream');
    await check('operators-audit-streams');
    await page.getByRole('link', { name: /^localhost/ }).click();
    await operator.press('Disable');
    await page.getByLabel('Reason').fill('Ticket 4714');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
    await operator.see('By an operator');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Disable' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await check('operators-audit-stream');
    await operator.press('Enable');
    await page.getByRole('dialog').getByRole('button', { name: 'Enable', exact: true }).click();
    await operator.see('Healthy');
  });
});
