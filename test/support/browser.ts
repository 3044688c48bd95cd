import { parseCookie, parseSetCookie } from 'cookie';
import type { ProviderAccount, ProviderName } from '../../dev/identity-provider';
import type { TestApp } from './app';

/**
 * A browser as far as signing in needs one: it keeps cookies, sends them where they belong, and
 * reads fragments.
 */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string; isStrict: boolean }>();

  constructor(private readonly t: TestApp) {}

  /**
   * Opens an address of the API as a person does, without following where it leads.
   * @param isFromOtherSite whether a page or a mail of another site leads there: strict cookies are
   * left out then
   */
  async open(path: string, isFromOtherSite = false) {
    const cookie = [...this.cookies]
      .filter(([, { path: scope, isStrict }]) => `/api/v1${path}`.startsWith(scope) && !(isFromOtherSite && isStrict))
      .map(([name, { value }]) => `${name}=${value}`);
    const answer = await this.t.api.get(path).set('Accept', 'text/html').set('Cookie', cookie.join('; ')).redirects(0);
    for (const line of (answer.headers['set-cookie'] ?? []) as unknown as string[]) this.keep(line);
    return answer;
  }

  /** Begins a sign-in and returns where the browser is sent. */
  async begin(provider: ProviderName): Promise<string> {
    return (await this.open(`/auth/${provider}`)).headers.location;
  }

  /**
   * The whole way: to the provider, picking an account there, and back.
   * @returns what the web client finds in its fragment
   */
  async signIn(provider: ProviderName, account: ProviderAccount): Promise<Record<string, string>> {
    return this.comeBack(await this.t.identityProvider.pick(await this.begin(provider), account));
  }

  /**
   * Follows the provider's redirect to the service.
   * @returns what the web client finds in its fragment
   */
  async comeBack(address: string): Promise<Record<string, string>> {
    const { pathname, search } = new URL(address);
    const { headers } = await this.open(pathname.replace('/api/v1', '') + search, true);
    return fragmentOf(headers.location);
  }

  /** The value of a cookie that the browser holds. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name)?.value;
  }

  /** Holds the cookies of another browser too, as a thief would. */
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

/** What an address tells in its fragment. */
export function fragmentOf(address: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new URL(address).hash.slice(1)));
}
