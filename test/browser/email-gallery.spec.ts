import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { LocalMode } from './local-mode';
import { accessibilityViolations, BrowserUser } from './browser-user';

/** The narrowest phone that emails are made for. */
const PHONE = { width: 360, height: 740 };

describe('the email gallery of local mode', () => {
  let local: LocalMode;
  let browser: Browser;
  beforeAll(async () => {
    [local, browser] = await Promise.all([LocalMode.shared(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), local.stop()]));

  it.each(['light', 'dark'] as const)('shows every email as HTML and text, %s', async (colorScheme) => {
    const user = await BrowserUser.open(browser, { colorScheme });
    const { page } = user;
    await page.goto(local.at('Email inbox'));
    await page.getByRole('link', { name: 'See every kind of email in the gallery' }).click();
    const menu = page.getByRole('navigation', { name: 'Emails' }).getByRole('link');
    await menu.nth(17).waitFor();
    const links = await menu.all();
    for (const link of links) {
      await link.click();
      await page.locator(`a[href="${await link.getAttribute('href')}"][aria-current="true"]`).waitFor();
      const linked = /\n(.+):\n(\S+)\n/.exec((await page.getByLabel('Text part').textContent())!);
      if (!linked) {
        await page
          .frameLocator('iframe')
          .locator('.code')
          .getByText(/^\d{6}$/)
          .waitFor(); // a code in place of a link
        continue;
      }
      const [, label, url] = linked;
      const button = page.frameLocator('iframe').locator(`a.button[href="${url}"]`).getByText(label);
      await button.waitFor();
    }
    await page.getByRole('button', { name: 'Phone' }).click();
    expect((await page.locator('iframe').boundingBox())!.width).toBe(360);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(user.errors).toEqual([]);
    await user.close();
  });

  it.each(['light', 'dark'] as const)(
    'shows emails that fit on a phone and have no accessibility violations, %s',
    async (scheme) => {
      const user = await BrowserUser.open(browser, { colorScheme: scheme, viewport: PHONE });
      const { page } = user;
      await page.goto(local.at('Email gallery'));
      const templates = await page.evaluate<string[]>(
        `JSON.parse(document.getElementById('mails').textContent)
        .flatMap(({ template, examples }) => examples.map((_, index) => template + '/' + index))`,
      );
      await page.goto('about:blank'); // axe-core cannot run in the sandbox of the gallery
      for (const template of templates) {
        await page.setContent(await (await fetch(`${local.at('Email gallery')}/${template}`)).text());
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([template, width, await accessibilityViolations(page)]).toEqual([template, PHONE.width, []]);
      }
      await user.close();
    },
  );
});
