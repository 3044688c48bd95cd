import { accessibilityViolations, type Page } from './browser-user';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

/**
 * What is wrong with the page as it is now, on a desk and on a phone, in light and in dark mode:
 * accessibility violations, and content that is wider than the window.
 */
export async function complaintsAboutLooks(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      complaints.push(...(await accessibilityViolations(page)));
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > size.width) complaints.push(`${page.url()} is ${width} pixels wide, of ${size.width}`);
  }
  return complaints;
}
