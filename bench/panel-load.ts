import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../dev/chromium';
import { freePort } from '../dev/free-port';
import { STATIC_APPS } from '../src/http/responses/static-apps';
import type { BenchDatabase } from './bench-database';
import type { BenchRun } from './bench-run';
import { atMost } from './report';
import { emailOf, PASSWORD } from './seed-data';
import { median } from './statistics';
import { startServer } from './servers';

const LOADS = 7;

const LIMITS = { kilobytes: 500, milliseconds: 1000 };

/**
 * Measures the panel of the built service in Debian's Chromium (or CHROMIUM), signed in as the
 * first account: the compressed size of everything loaded until the overview is shown, and the time
 * from opening /admin/users until its first row is visible.
 */
export async function measurePanel(
  { server: { folder }, report }: BenchRun,
  { settings }: BenchDatabase,
): Promise<void> {
  if (!existsSync(join(STATIC_APPS, 'admin')))
    throw new Error('The panel is not built. Run `npm run build -w client -w panel`.');
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const own = {
    PORT: String(port),
    BASE_URL: url,
    COOKIE_SECURE: 'false',
    ALLOW_INSECURE: 'cookies',
    ADMIN_EMAILS: emailOf(1),
    ADMIN_SECOND_FACTOR: 'optional', // the enrolment would be shown instead of the overview
    WORKER: 'off',
  };
  const server = await startServer('service', { ...settings, ...own }, folder);
  const browser = await openBrowser();
  const kilobytes = await weigh(browser, url);
  const { cold, warm } = await loadTimes(browser, url);
  await browser.close();
  await server.stop();
  report.add({
    work: 'panel: sign-in page and overview, compressed',
    measured: `${kilobytes.toFixed(0)} kB`,
    ...atMost(LIMITS.kilobytes, kilobytes, ' kB'),
  });
  report.add({
    work: 'panel: first of 1,000,000 users visible',
    measured: `${cold.toFixed(0)} ms; ${warm.toFixed(0)} ms with the files in the browser cache`,
    ...atMost(LIMITS.milliseconds, cold, ' ms'),
  });
}

/** Median times in milliseconds, with an empty browser cache and with the files in it. */
async function loadTimes(browser: Browser, url: string): Promise<{ cold: number; warm: number }> {
  const [cold, warm] = [[] as number[], [] as number[]];
  for (let load = 0; load < LOADS; load++) {
    const context = await signedIn(browser, url);
    const page = await context.newPage();
    cold.push(await untilFirstRow(page, url));
    warm.push(await untilFirstRow(page, url));
    await context.close();
  }
  return { cold: median(cold), warm: median(warm) };
}

async function weigh(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  let bytes = 0;
  const network = await page.context().newCDPSession(page);
  network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await network.send('Network.enable');
  await page.goto(`${url}/admin`);
  await page.getByLabel('Email').fill(emailOf(1));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
  return bytes / 1000;
}

/** A browser context with the session of an operator and an empty cache. */
async function signedIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.request.post(`${url}/api/v1/auth/login`, {
    data: { email: emailOf(1), password: PASSWORD },
    headers: { 'X-Session': 'panel' },
  });
  await context.addInitScript("localStorage.setItem('tenantry.panel.signed-in', 'true')");
  await context.addInitScript(WATCH);
  return context;
}

/**
 * Records the time of the first row by the page's own clock. Polling from outside would add up to
 * half a second.
 */
const WATCH = `new MutationObserver(() => {
  if (document.querySelector('table')?.innerText.includes('@example.com')) globalThis.firstRow ??= performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true })`;

/** Milliseconds since the start of the navigation. */
async function untilFirstRow(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/admin/users`, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'firstRow' in globalThis);
  return page.evaluate<number>('firstRow');
}
