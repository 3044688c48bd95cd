import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { LocalMode } from './local-mode';
import { barriersOn, keepPicture, Visitor } from './browser-user';

describe('the start page of local mode', () => {
  let local: LocalMode;
  let browser: Browser;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.start(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));

  it('leads to everything that there is, and each of these answers', async () => {
    const visitor = await Visitor.arrive(browser);
    const { page } = visitor;
    await page.goto(local.home);
    const links = await page.getByRole('navigation').getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(addresses).toHaveLength(7);
    for (const address of addresses) {
      const answer = await page.goto(address!, { waitUntil: 'load' });
      expect([address, answer!.status()]).toEqual([address, 200]);
    }
    expect(visitor.wrong).toEqual([]);
    await visitor.leave();
  });

  it('gives the demo logins to copy', async () => {
    const visitor = await Visitor.arrive(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visitor;
    await page.goto(local.home);
    await page.getByRole('button', { name: 'Copy owner@example.com' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('owner@example.com');
    expect(visitor.wrong).toEqual([]);
    await visitor.leave();
  });

  it.each(['light', 'dark'] as const)('can be used by everybody, %s', async (colorScheme) => {
    const visitor = await Visitor.arrive(browser, { colorScheme });
    await visitor.page.goto(local.home);
    expect(await barriersOn(visitor.page)).toEqual([]);
    await keepPicture(visitor.page, 'start');
    await visitor.leave();
  });
});
