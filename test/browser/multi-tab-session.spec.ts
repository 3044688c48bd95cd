import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { BrowserUser, type Page } from './browser-user';

describe('one session in several tabs', () => {
  let local: LocalMode;
  let browser: Browser;
  let user: BrowserUser;
  let tabs: Page[];
  let refreshes: number[];
  let openStreams: () => number;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));

  beforeEach(async () => {
    user = await BrowserUser.open(browser);
    refreshes = [];
    openStreams = user.countOpen('/notifications/stream');
    user.onResponse('/auth/refresh', (status) => refreshes.push(status));
    await signIn(user.page);
    tabs = [user.page, await user.newTab(), await user.newTab()];
    for (const tab of tabs) await open(tab);
    refreshes.length = 0;
  });
  afterEach(async () => {
    expect(user.errors).toEqual([]);
    await user.close();
  });

  const signIn = async (page: Page) => {
    await page.goto(local.at('Sample client'));
    await page.getByLabel('Email').fill('owner@example.com');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Workspace Acme' }).waitFor();
  };
  const open = async (tab: Page) => {
    await tab.goto(`${local.at('Sample client')}/projects`);
    await tab.getByText('Website').waitFor();
  };
  /** Advances the clock, as after sleep mode, so that the access token has expired. */
  const expireToken = (tab: Page) => tab.clock.setSystemTime(Date.now() + 16 * 60_000);
  const call = async <Data>(path: string, { body, ...headers }: { body?: object; Authorization?: string }) => {
    const response = await fetch(`${local.home}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: Data }).data;
  };
  /** A session unknown to this browser. */
  const logInElsewhere = (email: string) =>
    call<{ accessToken: string; refreshToken: string }>('/auth/login', { body: { email, password: DEMO_PASSWORD } });
  const go = (tab: Page, place: string) =>
    tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();

  /** Why the tab shows the sign-in page, unless its user has signed out there. */
  const reasonIn = (tab: Page) => tab.getByText('You’ve been signed out. Sign in again to continue.');

  it('refreshes once when the access token expires', async () => {
    await Promise.all(tabs.map(expireToken));
    await Promise.all(tabs.map((tab) => go(tab, 'Members')));
    await Promise.all(tabs.map((tab) => tab.getByText('member@example.com').first().waitFor()));
    expect(refreshes).toEqual([200]);
  });

  it('survives simultaneous reloads', async () => {
    for (let round = 0; round < 5; round++) await Promise.all(tabs.map((tab) => tab.reload()));
    await Promise.all(tabs.map((tab) => tab.getByText('Website').waitFor()));
    expect(refreshes.length).toBeGreaterThan(0);
    expect(new Set(refreshes)).toEqual(new Set([200]));
  });

  it('shares one notification stream, which another tab takes over', async () => {
    // Impersonation notifies the user.
    const Authorization = `Bearer ${(await logInElsewhere('admin@example.com')).accessToken}`;
    const { items } = await call<{ items: { id: string }[] }>('/admin/users?search=owner@example.com', {
      Authorization,
    });
    const impersonate = (reason: string) =>
      call(`/admin/users/${items[0].id}/impersonate`, { Authorization, body: { reason } });
    const [first, second, third] = tabs;
    await impersonate('Ticket 1');
    for (const tab of tabs) await tab.getByText('Reason: Ticket 1').waitFor();
    expect(openStreams()).toBe(1);
    const takenOver = user.nextRequest('/notifications/stream');
    await first.close();
    expect((await takenOver).headers()['last-event-id']).toMatch(/^\d+$/);
    await impersonate('Ticket 2');
    for (const tab of [second, third]) await tab.getByText('Reason: Ticket 2').waitFor();
  });

  it('ignores tokens in a link from someone else', async () => {
    const data = await logInElsewhere('admin@example.com');
    const attackTab = await user.newTab();
    await attackTab.goto(
      `${local.at('Sample client')}#accessToken=${data.accessToken}` +
        `&refreshToken=${data.refreshToken}&expiresIn=99999999`,
    );
    await attackTab.getByRole('button', { name: 'Workspace Acme' }).waitFor();
    expect(attackTab.url()).not.toContain('accessToken');
    for (const tab of tabs) await tab.getByRole('button', { name: 'Workspace Acme' }).waitFor();
  });

  it('ends at sign-out even during a refresh', async () => {
    const [one, two] = tabs;
    await expireToken(two);
    await one.getByRole('button', { name: 'Account' }).click();
    await Promise.all([go(two, 'Members'), one.getByRole('menuitem', { name: 'Sign out' }).click()]);
    for (const tab of tabs) await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await one.reload();
    await one.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('works without browser storage', async () => {
    const strict = await BrowserUser.open(browser);
    await strict.page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
    });
    await signIn(strict.page);
    expect(strict.errors).toEqual([]);
    await strict.close();
  });

  it('signs out in all tabs when another device ends the session', async () => {
    const { accessToken } = await logInElsewhere('owner@example.com');
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${local.home}/api/v1/auth/sessions`, { method: 'DELETE', headers });
    expect(response.status).toBe(200);
    // Nothing is done in the tabs: the stream of one of them ends.
    for (const tab of tabs) await reasonIn(tab).waitFor({ timeout: 5000 });
  });

  it('signs out in all tabs', async () => {
    const [one, ...others] = tabs;
    await one.getByRole('button', { name: 'Account' }).click();
    await one.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of others) await reasonIn(tab).waitFor();
    await one.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await reasonIn(one).waitFor({ state: 'detached' });
  });
});
