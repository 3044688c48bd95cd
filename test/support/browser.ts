import { parseCookie, parseSetCookie } from 'cookie';
import type { ProviderAccount, ProviderName } from '../../dev/identity-provider';
import type { TestApp } from './app';

/**
 * A minimal browser for signing in: it keeps cookies, sends them to the right paths and reads
 * fragments.
 */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string; isStrict: boolean }>();

  constructor(private readonly t: TestApp) {}

  /**
   * Opens an address of the API like a navigation, without following redirects.
   * @param isFromOtherSite whether the link is on another site or in a mail, so that strict cookies
   * are not sent
   */
  async open(path: string, isFromOtherSite = false) {
    const cookie = [...this.cookies]
      .filter(([, { path: scope, isStrict }]) => `/api/v1${path}`.startsWith(scope) && !(isFromOtherSite && isStrict))
      .map(([name, { value }]) => `${name}=${value}`);
    const response = await this.t.api
      .get(path)
      .set('Accept', 'text/html')
      .set('Cookie', cookie.join('; '))
      .redirects(0);
    for (const line of (response.headers['set-cookie'] ?? []) as unknown as string[]) this.keep(line);
    return response;
  }

  /** Starts a sign-in. @returns the address of the provider */
  async begin(provider: ProviderName): Promise<string> {
    return (await this.open(`/auth/${provider}`)).headers.location;
  }

  /**
   * Signs in: opens the provider, chooses an account and returns.
   * @returns the parameters in the fragment
   */
  async signIn(provider: ProviderName, account: ProviderAccount): Promise<Record<string, string>> {
    return this.comeBack(await this.t.identityProvider.pick(await this.begin(provider), account));
  }

  /**
   * Follows the provider's redirect to the service.
   * @returns the parameters in the fragment
   */
  async comeBack(address: string): Promise<Record<string, string>> {
    const { pathname, search } = new URL(address);
    const { headers } = await this.open(pathname.replace('/api/v1', '') + search, true);
    return fragmentOf(headers.location);
  }

  /** The value of a cookie. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name)?.value;
  }

  /** The name and value of the newest cookie whose name begins with this text. */
  cookieOf(start: string): { name: string; value: string } | undefined {
    const [name, cookie] = [...this.cookies].findLast(([sent]) => sent.startsWith(start)) ?? [];
    return name === undefined ? undefined : { name, value: cookie!.value };
  }

  /** How many cookies have names that begin with this text. */
  countCookies(start: string): number {
    return [...this.cookies.keys()].filter((name) => name.startsWith(start)).length;
  }

  /** Copies the cookies of another browser, like a thief. */
  steal(from: Browser): void {
    for (const [name, cookie] of from.cookies) this.cookies.set(name, cookie);
  }

  private keep(line: string): void {
    const { name, value, path = '/', expires, sameSite } = parseSetCookie(line);
    if (expires && expires.getTime() === 0) this.cookies.delete(name);
    else
      this.cookies.set(name, { value: parseCookie(`${name}=${value}`)[name]!, path, isStrict: sameSite === 'strict' });
  }
}

/** The parameters in the fragment of an address. */
export function fragmentOf(address: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new URL(address).hash.slice(1)));
}
