import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { LocalMode } from './local-mode';
import { accessibilityViolations, saveScreenshot, BrowserUser } from './browser-user';

describe('the start page of local mode', () => {
  let local: LocalMode;
  let browser: Browser;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));

  it('links to every page, which all respond', async () => {
    const user = await BrowserUser.open(browser);
    const { page } = user;
    await page.goto(local.home);
    const links = await page.getByRole('navigation').getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(addresses).toHaveLength(8);
    for (const address of addresses) {
      const response = await page.goto(address!, { waitUntil: 'load' });
      expect([address, response!.status()]).toEqual([address, 200]);
    }
    expect(user.errors).toEqual([]);
    await user.close();
  });

  it('copies the demo credentials', async () => {
    const user = await BrowserUser.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = user;
    await page.goto(local.home);
    await page.getByRole('button', { name: 'Copy owner@example.com' }).click();
    await page.getByText('owner@example.com copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('owner@example.com');
    expect(user.errors).toEqual([]);
    await user.close();
  });

  it.each(['light', 'dark'] as const)('has no accessibility violations in %s mode', async (colorScheme) => {
    const user = await BrowserUser.open(browser, { colorScheme });
    await user.page.goto(local.home);
    expect(await accessibilityViolations(user.page)).toEqual([]);
    await saveScreenshot(user.page, 'start');
    await user.close();
  });
});
