import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { Visitor, type Page } from './browser-user';

describe('one session in several tabs', () => {
  let local: LocalMode;
  let browser: Browser;
  let visitor: Visitor;
  let tabs: Page[];
  let refreshes: number[];
  let openStreams: () => number;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));

  beforeEach(async () => {
    visitor = await Visitor.arrive(browser);
    refreshes = [];
    openStreams = visitor.countOpen('/notifications/stream');
    visitor.onAnswer('/auth/refresh', (status) => refreshes.push(status));
    await signIn(visitor.page);
    tabs = [visitor.page, await visitor.newTab(), await visitor.newTab()];
    for (const tab of tabs) await open(tab);
    refreshes.length = 0;
  });
  afterEach(async () => {
    expect(visitor.wrong).toEqual([]);
    await visitor.leave();
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
  /** The clock jumps, as after a sleep: the access token has run out. */
  const later = (tab: Page) => tab.clock.setSystemTime(Date.now() + 16 * 60_000);
  const ask = async <Data>(path: string, { body, ...headers }: { body?: object; Authorization?: string }) => {
    const answer = await fetch(`${local.home}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Data }).data;
  };
  /** A session of which this browser knows nothing. */
  const logInElsewhere = (email: string) =>
    ask<{ accessToken: string; refreshToken: string }>('/auth/login', { body: { email, password: DEMO_PASSWORD } });
  const go = (tab: Page, place: string) =>
    tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();

  it('is refreshed once when the access token runs out in all of them', async () => {
    await Promise.all(tabs.map(later));
    await Promise.all(tabs.map((tab) => go(tab, 'Members')));
    await Promise.all(tabs.map((tab) => tab.getByText('member@example.com').first().waitFor()));
    expect(refreshes).toEqual([200]);
  });

  it('lives on when all of them are loaded anew at once, again and again', async () => {
    for (let round = 0; round < 5; round++) await Promise.all(tabs.map((tab) => tab.reload()));
    await Promise.all(tabs.map((tab) => tab.getByText('Website').waitFor()));
    expect(refreshes.length).toBeGreaterThan(0);
    expect(new Set(refreshes)).toEqual(new Set([200]));
  });

  it('has one stream of notifications, which another tab goes on with when the first is closed', async () => {
    // An operator acts as this person, of which the person is told.
    const Authorization = `Bearer ${(await logInElsewhere('admin@example.com')).accessToken}`;
    const { items } = await ask<{ items: { id: string }[] }>('/admin/users?search=owner@example.com', {
      Authorization,
    });
    const act = (reason: string) => ask(`/admin/users/${items[0].id}/impersonate`, { Authorization, body: { reason } });
    const [first, second, third] = tabs;
    await act('Ticket 1');
    for (const tab of tabs) await tab.getByText('Reason: Ticket 1').waitFor();
    expect(openStreams()).toBe(1);
    const takenOver = visitor.nextRequest('/notifications/stream');
    await first.close();
    expect((await takenOver).headers()['last-event-id']).toMatch(/^\d+$/);
    await act('Ticket 2');
    for (const tab of [second, third]) await tab.getByText('Reason: Ticket 2').waitFor();
  });

  it('does not become that of the tokens in a link that somebody else has made', async () => {
    const data = await logInElsewhere('admin@example.com');
    const trap = await visitor.newTab();
    await trap.goto(
      `${local.at('Sample client')}#accessToken=${data.accessToken}&refreshToken=${data.refreshToken}&expiresIn=99999999`,
    );
    await trap.getByRole('button', { name: 'Workspace Acme' }).waitFor();
    expect(trap.url()).not.toContain('accessToken');
    for (const tab of tabs) await tab.getByRole('button', { name: 'Workspace Acme' }).waitFor();
  });

  it('is over when somebody logs out, though another tab refreshes at that moment', async () => {
    const [one, two] = tabs;
    await later(two);
    await one.getByRole('button', { name: 'Account' }).click();
    await Promise.all([go(two, 'Members'), one.getByRole('menuitem', { name: 'Sign out' }).click()]);
    for (const tab of tabs) await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await one.reload();
    await one.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('begins where the browser keeps nothing, too', async () => {
    const strict = await Visitor.arrive(browser);
    await strict.page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
    });
    await signIn(strict.page);
    expect(strict.wrong).toEqual([]);
    await strict.leave();
  });

  it('is of another tenant in all of them when one switches, and over in all of them when one logs out', async () => {
    const [one, ...others] = tabs;
    await one.getByRole('button', { name: 'Workspace Acme' }).click();
    await one.getByRole('menuitem', { name: 'New workspace' }).click();
    await one.getByLabel('Workspace name').fill('Second');
    await one.getByRole('button', { name: 'Create workspace' }).click();
    for (const tab of tabs) await tab.getByRole('button', { name: 'Workspace Second' }).waitFor();
    await one.getByRole('button', { name: 'Account' }).click();
    await one.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of others) await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});
