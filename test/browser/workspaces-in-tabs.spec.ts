import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { LocalMode } from './local-mode';
import { accessibilityViolations, BrowserUser, type Page } from './browser-user';

describe('workspaces in several tabs', () => {
  let local: LocalMode;
  let browser: Browser;
  let user: BrowserUser;
  /** The tab in the workspace Acme, and the tab in the workspace of `name`. */
  let [acme, second]: Page[] = [];
  /** The name of the second workspace, a new one for each test. */
  let name: string;
  let count = 0;
  let statuses: number[];
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));

  beforeEach(async () => {
    name = `Second ${++count}`;
    user = await BrowserUser.open(browser);
    statuses = [];
    user.onResponse('/auth/refresh', (status) => statuses.push(status));
    acme = user.page;
    await signIn(acme, 'owner@example.com');
    await choose(acme, 'Acme');
    second = await user.newTab();
    await second.goto(app());
    await createWorkspace(second, name);
  });
  afterEach(async () => {
    expect(user.errors).toEqual([]);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await user.close();
  });

  const app = () => local.at('Sample client');
  const signIn = async (page: Page, email: string) => {
    await page.goto(app());
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  };
  const seesWorkspace = (page: Page, workspace: string) =>
    page.getByRole('button', { name: `Workspace ${workspace}`, exact: true }).waitFor();
  const openSwitcher = (page: Page) => page.getByRole('button', { name: /^Workspace / }).click();
  const choose = async (page: Page, workspace: string) => {
    await openSwitcher(page);
    await page.getByRole('menuitem', { name: new RegExp(`^${workspace}`) }).click();
    await seesWorkspace(page, workspace);
  };
  const createWorkspace = async (page: Page, workspace: string) => {
    await openSwitcher(page);
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await page.getByLabel('Workspace name').fill(workspace);
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await seesWorkspace(page, workspace);
  };
  const go = (page: Page, place: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
  const createProject = async (page: Page, project: string) => {
    await go(page, 'Projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Project name').fill(project);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** The projects in the database, by workspace. */
  const projectsOf = async (workspace: string) => {
    const rows = await local.query<{ name: string }>(
      'SELECT p.name FROM projects p JOIN tenants t ON t.id = p.tenant_id WHERE t.name = $1',
      [workspace],
    );
    return rows.map((row) => row.name);
  };
  const idIn = (page: Page) => /\/app\/w\/([0-9a-f-]{36})\//.exec(page.url())?.[1];
  const expireToken = (page: Page) => page.clock.setSystemTime(Date.now() + 16 * 60_000);

  it('shows each tab its own workspace, also after reloads, and names it in address and title', async () => {
    await seesWorkspace(acme, 'Acme');
    expect(idIn(acme)).not.toBe(idIn(second));
    for (let round = 0; round < 3; round++) await Promise.all([acme.reload(), second.reload()]);
    await Promise.all([seesWorkspace(acme, 'Acme'), seesWorkspace(second, name)]);
    const isTitled = (page: Page, title: string) => page.waitForFunction((text) => document.title === text, title);
    await Promise.all([isTitled(acme, 'Projects – Acme'), isTitled(second, `Projects – ${name}`)]);
  });

  it('writes to the workspace of the tab, also when the tokens of both tabs have expired', async () => {
    await createProject(second, 'Of the second');
    await Promise.all([expireToken(acme), expireToken(second)]);
    statuses.length = 0;
    const project = `Of Acme ${count}`;
    await Promise.all([createProject(acme, project), createProject(second, 'Also of the second')]);
    expect(statuses).toEqual([200, 200]);
    expect(await projectsOf('Acme')).toContain(project);
    expect((await projectsOf(name)).sort()).toEqual(['Also of the second', 'Of the second']);
    await Promise.all([seesWorkspace(acme, 'Acme'), seesWorkspace(second, name)]);
  });

  it('shares a refresh between tabs of one workspace', async () => {
    const third = await user.newTab();
    await third.goto(second.url());
    await seesWorkspace(third, name);
    const tabs = [acme, second, third];
    await Promise.all(tabs.map(expireToken));
    statuses.length = 0;
    await Promise.all(tabs.map((tab) => go(tab, 'Members')));
    await Promise.all(tabs.map((tab) => tab.getByText('owner@example.com').first().waitFor()));
    expect(statuses).toEqual([200, 200]);
  });

  it('switches one tab only, by the menu and by the back button', async () => {
    const acmeId = idIn(acme);
    await choose(second, 'Acme');
    await createWorkspace(acme, `${name} b`);
    await seesWorkspace(second, 'Acme');
    await second.goBack();
    await seesWorkspace(second, name);
    await acme.goBack();
    await seesWorkspace(acme, 'Acme');
    expect(idIn(acme)).toBe(acmeId);
  });

  it('keeps a dialog open when another tab switches its workspace', async () => {
    await acme.getByRole('button', { name: 'New project' }).click();
    await acme.getByLabel('Project name').fill('Half typed');
    await choose(second, 'Acme');
    expect(await acme.getByLabel('Project name').inputValue()).toBe('Half typed');
  });

  it('begins a new tab in the workspace that was opened last, or in the one of its address', async () => {
    const fresh = await user.newTab();
    await fresh.goto(app());
    await seesWorkspace(fresh, name);
    await fresh.goto(acme.url());
    await seesWorkspace(fresh, 'Acme');
    await fresh.close();
    const next = await user.newTab();
    await next.goto(app());
    await seesWorkspace(next, 'Acme');
  });

  it('leads addresses without a workspace to the one of the tab, and links in emails to theirs', async () => {
    await second.goto(`${app()}/billing?success=true`);
    await seesWorkspace(second, name);
    await second.waitForURL(`**/app/w/${idIn(second)}/billing`);
    await acme.goto(`${app()}/roles`);
    await acme.waitForURL('**/app/w/*/roles');
    await seesWorkspace(acme, 'Acme');
    const fresh = await user.newTab();
    await fresh.goto(`${app()}/billing?tenant=${idIn(acme)}`);
    await fresh.waitForURL(`**/app/w/${idIn(acme)}/billing`);
    await seesWorkspace(fresh, 'Acme');
  });

  it('returns from checkout to the workspace that started it', async () => {
    await go(second, 'Billing');
    await second.getByRole('button', { name: 'Choose Pro' }).click();
    await second.getByRole('button', { name: 'Pay with a working card' }).waitFor();
    await acme.reload(); // the workspace that was used last
    await seesWorkspace(acme, 'Acme');
    await second.getByRole('button', { name: 'Pay with a working card' }).click();
    await second.getByText('Thank you! Your workspace is now on Pro.').waitFor();
    await seesWorkspace(second, name);
  });

  it('says that a workspace is not accessible, and leads on', async () => {
    const address = second.url();
    const stranger = await BrowserUser.open(browser);
    await signIn(stranger.page, 'member@example.com');
    for (const wrong of [address, `${app()}/w/not-an-id/members`]) {
      await stranger.page.goto(wrong);
      await stranger.page.getByRole('heading', { name: 'You don’t have access to this workspace' }).waitFor();
      expect(await accessibilityViolations(stranger.page)).toEqual([]);
    }
    await stranger.page.getByRole('link', { name: 'Go to your workspace' }).click();
    await seesWorkspace(stranger.page, 'Acme');
    await stranger.page.goto(address);
    await stranger.page.getByRole('button', { name: 'Sign in with another account' }).click();
    await stranger.page.getByLabel('Email').fill('owner@example.com');
    await stranger.page.getByLabel('Password').fill(DEMO_PASSWORD);
    await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await seesWorkspace(stranger.page, name);
    expect(stranger.errors).toEqual([]);
    await stranger.close();
  });

  it('leaves a deleted workspace for another one, and other tabs say so', async () => {
    const other = await user.newTab();
    await other.goto(second.url());
    await seesWorkspace(other, name);
    await go(second, 'Settings');
    await second.getByRole('button', { name: 'Delete workspace' }).click();
    await second.getByRole('dialog').getByLabel('Workspace name').fill(name);
    await second.getByRole('button', { name: 'Delete permanently' }).click();
    await seesWorkspace(second, 'Acme');
    await other.getByRole('heading', { name: 'You don’t have access to this workspace' }).waitFor();
    await seesWorkspace(acme, 'Acme');
  });

  it('signs out in all tabs', async () => {
    await acme.getByRole('button', { name: 'Account' }).click();
    await acme.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of [acme, second]) await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});
