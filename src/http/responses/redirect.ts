import type { Request, Response } from 'express';

/**
 * An outcome that sends the browser on. Secrets go into the fragment only, which browsers keep to
 * themselves.
 */
export class Redirect {
  private constructor(readonly url: string) {}

  static to(url: string): Redirect {
    return new Redirect(url);
  }

  /** @param fragment what the page at `url` is told */
  static withFragment(url: string, fragment: Record<string, string>): Redirect {
    return Redirect.to(`${url}#${new URLSearchParams(fragment).toString()}`);
  }
}

/** Writes a redirect's status and headers; the body stays empty. */
export function sendRedirect(response: Response, { url }: Redirect): undefined {
  response.status(302).setHeader('Location', url).setHeader('Referrer-Policy', 'no-referrer');
  return undefined;
}

/** Whether a person's browser is asking to show a page, rather than a program asking for data. */
export function isNavigation(request: Request): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}
