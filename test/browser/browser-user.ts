import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A user with a separate browser profile. Collects console errors. */
export class BrowserUser {
  private readonly messages: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserUser> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(20_000);
    const user = new BrowserUser(context, await context.newPage());
    context.on('page', (page) => user.listenTo(page));
    user.listenTo(user.page);
    return user;
  }

  /** Opens another tab of the same browser. */
  newTab(): Promise<Page> {
    return this.context.newPage();
  }

  /** Calls back with the status of each response of an API route, in any tab. */
  onResponse(route: string, callback: (status: number) => void): void {
    this.context.on('response', (response) => {
      if (new URL(response.url()).pathname === `/api/v1${route}`) callback(response.status());
    });
  }

  /** The next request to an API route, in any tab. */
  nextRequest(route: string): Promise<Request> {
    return this.context.waitForEvent('request', (request) => new URL(request.url()).pathname === `/api/v1${route}`);
  }

  /** Counts the open requests to an API route in all tabs, for streams, which stay open. */
  countOpen(route: string): () => number {
    const open = new Set<object>();
    const matches = (request: { url(): string }) => new URL(request.url()).pathname === `/api/v1${route}`;
    this.context.on('request', (request) => matches(request) && open.add(request));
    this.context.on('requestfinished', (request) => open.delete(request));
    this.context.on('requestfailed', (request) => open.delete(request));
    return () => open.size;
  }

  /** The tab that an action opens. It may not be loaded yet, or be closed again. */
  async tabOpenedBy(action: () => Promise<unknown>): Promise<Page> {
    const [page] = await Promise.all([this.context.waitForEvent('page'), action()]);
    return page;
  }

  /** Console errors, exceptions and violations of the content security policy. */
  get errors(): readonly string[] {
    return this.messages;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private listenTo(page: Page): void {
    page.on('pageerror', (error) => this.messages.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // The browser logs every 4xx response; those of the API and of declined cards are expected.
      const isExpected = /status of 4\d\d/.test(message.text()) && /\/api\/v1\/|\/pay\//.test(message.location().url);
      const isPolicy = /Content.Security.Policy|Trusted/i.test(message.text());
      if ((message.type() === 'error' && !isExpected) || isPolicy)
        this.messages.push(`${page.url()}: ${message.text()} ${message.location().url}`);
    });
  }
}

const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
/** Colors are only what they should be when transitions have ended. Endless ones are spinners. */
const END_TRANSITIONS = `${TWO_FRAMES}.then(() =>
  document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .forEach((animation) => animation.finish()))`;

/** What axe-core would load for rules about media, which are not serious, takes time. */
const AXE_OPTIONS = '{ resultTypes: ["violations"], preload: false }';

/** Serious and critical accessibility violations (axe-core). */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>(`${END_TRANSITIONS}.then(() => 'axe' in window)`);
  if (!isLoaded) await page.evaluate(AXE);
  interface Finding {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: string[]; readonly failureSummary: string }[];
  }
  const { violations } = await page.evaluate<{ violations: Finding[] }>(`axe.run(document, ${AXE_OPTIONS})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${page.url()} ${id} ${target.join(' ')}: ${failureSummary.split('\n')[1] ?? ''}`,
      ),
    );
}

/** Folder for screenshots of the documentation: `PICTURES=docs/pictures npm run test:browser`. */
export const PICTURES = process.env.PICTURES;

/** Saves a screenshot of the top of the page in light and in dark mode, if PICTURES is set. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  await page.evaluate('scrollTo(0, 0)');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300); // until charts are redrawn
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

export type { Locator, Page };
