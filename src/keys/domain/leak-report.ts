/** A text that looks like a key, and where it was found. */
export interface LeakedToken {
  readonly token: string;
  /** A page of GitHub; null if the report names none. */
  readonly url: string | null;
  /** What it was found in, such as `commit` or `pull_request_body`; null if unknown. */
  readonly source: string | null;
}

const MAX_TOKENS = 1000;
const MAX_URL = 500;
const SOURCE = /^[a-z0-9_-]{1,50}$/i;

/**
 * The tokens that GitHub reports (GitHub documentation, "Secret scanning partner program").
 * @returns undefined for another form
 */
export function leakedTokensIn(body: string): LeakedToken[] | undefined {
  const items = listIn(body);
  if (!items || items.length > MAX_TOKENS) return undefined;
  return items.flatMap((item) => {
    const { token, url, source } = (item ?? {}) as Readonly<Partial<Record<string, unknown>>>;
    return typeof token === 'string' ? [{ token, url: pageOf(url), source: sourceOf(source) }] : [];
  });
}

function listIn(body: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Emails name the page, so that only pages of GitHub are kept. */
function pageOf(url: unknown): string | null {
  if (typeof url !== 'string' || url.length > MAX_URL || !URL.canParse(url)) return null;
  const { protocol, hostname, username, href } = new URL(url);
  const isAtGithub = hostname === 'github.com' || hostname.endsWith('.github.com');
  return protocol === 'https:' && isAtGithub && username === '' ? href : null;
}

const sourceOf = (source: unknown): string | null =>
  typeof source === 'string' && SOURCE.test(source) ? source : null;
