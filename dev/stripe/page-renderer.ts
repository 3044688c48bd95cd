import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'express';
import { StripeError } from './stripe-error';

type Page = 'stripe-pay.html' | 'stripe-invoice.html' | 'stripe-portal.html' | 'stripe-dashboard.html';

/**
 * Sends a page. Handlebars is loaded with the first page, to keep the stand-in small in benchmarks,
 * which open none.
 */
export async function renderPage(response: Response, page: Page, content: object): Promise<void> {
  const { default: Handlebars } = await import('handlebars');
  const read = (name: string) => readFileSync(join(process.cwd(), 'dev', 'pages', name), 'utf8');
  // Handlebars escapes the values
  const html = Handlebars.compile(read(page))({ ...content, style: read('stand-in-style.html') });
  response.type('html').set('Cache-Control', 'no-store').send(html);
}

/** Runs an action. @returns the message of its StripeError, to be shown on the page */
export function errorMessageOf(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof StripeError) return error.message;
    throw error;
  }
}
