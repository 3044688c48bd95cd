import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A person at a browser that is theirs alone, with all that the browser complains about. */
export class Visitor {
  private readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async arrive(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(20_000);
    const visitor = new Visitor(context, await context.newPage());
    context.on('page', (page) => visitor.listenTo(page));
    visitor.listenTo(visitor.page);
    return visitor;
  }

  /** One more tab of the same browser. */
  newTab(): Promise<Page> {
    return this.context.newPage();
  }

  /** Told the status of each answer of a route of the API, in whatever tab. */
  onAnswer(route: string, told: (status: number) => void): void {
    this.context.on('response', (response) => {
      if (new URL(response.url()).pathname === `/api/v1${route}`) told(response.status());
    });
  }

  /** The next request to a route of the API, in whatever tab. */
  nextRequest(route: string): Promise<Request> {
    return this.context.waitForEvent('request', (request) => new URL(request.url()).pathname === `/api/v1${route}`);
  }

  /**
   * How many requests to a route of the API are open, over all tabs: for streams, which do not end
   * by themselves.
   */
  countOpen(route: string): () => number {
    const open = new Set<object>();
    const isMeant = (request: { url(): string }) => new URL(request.url()).pathname === `/api/v1${route}`;
    this.context.on('request', (request) => isMeant(request) && open.add(request));
    this.context.on('requestfinished', (request) => open.delete(request));
    this.context.on('requestfailed', (request) => open.delete(request));
    return () => open.size;
  }

  /** The tab that opens by what is done. */
  async tabOf(work: () => Promise<unknown>): Promise<Page> {
    const [page] = await Promise.all([this.context.waitForEvent('page'), work()]);
    await page.waitForLoadState();
    return page;
  }

  /**
   * Errors in the console, exceptions, and what the content policy has refused; a page has none of
   * them.
   */
  get wrong(): readonly string[] {
    return this.complaints;
  }

  leave(): Promise<void> {
    return this.context.close();
  }

  private listenTo(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // The browser's own line for a refusal that is part of the story: of the API, or of a card.
      const refused = /status of 4\d\d/.test(message.text()) && /\/api\/v1\/|\/pay\//.test(message.location().url);
      const isPolicy = /Content.Security.Policy|Trusted/i.test(message.text());
      if ((message.type() === 'error' && !refused) || isPolicy)
        this.complaints.push(`${page.url()}: ${message.text()} ${message.location().url}`);
    });
  }
}

/**
 * What people who use a screen reader, a keyboard or their own eyes would stumble over: serious and
 * critical findings of axe-core.
 */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  interface Finding {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: string[]; readonly failureSummary: string }[];
  }
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${page.url()} ${id} ${target.join(' ')}: ${failureSummary.split('\n')[1] ?? ''}`,
      ),
    );
}

/**
 * Where pictures for the documentation are kept, when they are asked for: `PICTURES=docs/pictures
 * npm run test:browser`.
 */
export const PICTURES = process.env.PICTURES;

/** Keeps a picture, light and dark. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300); // a chart that is redrawn
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

export type { Locator, Page };
