import type { Request, Response } from 'express';

/**
 * A result that redirects the browser. Secrets go into the fragment only, which browsers do not
 * send to servers.
 */
export class Redirect {
  private constructor(readonly url: string) {}

  static to(url: string): Redirect {
    return new Redirect(url);
  }

  /** @param fragment parameters for the page at `url` */
  static withFragment(url: string, fragment: Record<string, string>): Redirect {
    return Redirect.to(`${url}#${new URLSearchParams(fragment).toString()}`);
  }
}

/** Writes the status and headers of a redirect; the body stays empty. */
export function sendRedirect(response: Response, { url }: Redirect): undefined {
  response.status(302).setHeader('Location', url).setHeader('Referrer-Policy', 'no-referrer');
  return undefined;
}

/** Whether a browser navigates to a page, as opposed to a program that requests data. */
export function isNavigation(request: Request): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}
