import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'express';
import { StripeError } from './stripe-error';

type Page = 'processor-pay.html' | 'processor-portal.html' | 'processor-state.html';

/**
 * Sends a page. What it is made with is loaded by the first one: a stand-in in a benchmark has no
 * visitors, and shall be small.
 */
export async function renderPage(response: Response, page: Page, content: object): Promise<void> {
  const { default: Handlebars } = await import('handlebars');
  const read = (name: string) => readFileSync(join(process.cwd(), 'dev', 'pages', name), 'utf8');
  // it escapes what it inserts
  const html = Handlebars.compile(read(page))({ ...content, style: read('processor-style.html') });
  response.type('html').set('Cache-Control', 'no-store').send(html);
}

/** @returns what was refused, to be told on the page */
export function errorMessageOf(what: () => void): string | undefined {
  try {
    what();
    return undefined;
  } catch (error) {
    if (error instanceof StripeError) return error.message;
    throw error;
  }
}
