/** An impersonation as its tab keeps it over a reload. */
export interface KeptImpersonation {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How long a refresh whose tab is gone may take to arrive. */
const INTERRUPTED_MS = 2000;

/**
 * What outlives a reload: that somebody signed in here (in all tabs), and an impersonation (in this
 * tab). No refresh token. Where the browser keeps nothing, because storage is blocked or full, it
 * lasts until the reload.
 */
export class Memory {
  private readonly browser = new Keeper('localStorage');
  private readonly tab = new Keeper('sessionStorage');

  constructor(private readonly name: string) {}

  get isSignedIn(): boolean {
    return this.browser.get(`${this.name}.signed-in`) !== null;
  }

  set isSignedIn(isSignedIn: boolean) {
    this.browser.set(`${this.name}.signed-in`, isSignedIn ? 'true' : null);
  }

  /**
   * Does a refresh. A tab that is closed or loaded anew meanwhile lets go of its turn, while its
   * refresh is still on its way: whoever comes next gives that time to arrive, because the same
   * token used twice would end the session.
   */
  async refreshing<T>(refresh: () => Promise<T>): Promise<T> {
    const key = `${this.name}.refreshing`;
    const begun = Number(this.browser.get(key));
    const wait = begun ? Math.min(begun + INTERRUPTED_MS - Date.now(), INTERRUPTED_MS) : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    this.browser.set(key, String(Date.now()));
    try {
      return await refresh();
    } finally {
      this.browser.set(key, null);
    }
  }

  get impersonation(): KeptImpersonation | null {
    return JSON.parse(this.tab.get(`${this.name}.impersonation`) ?? 'null') as KeptImpersonation | null;
  }

  set impersonation(held: KeptImpersonation | null) {
    this.tab.set(`${this.name}.impersonation`, held && JSON.stringify(held));
  }
}

/** A storage of the browser, or where there is none that works, this page's own. */
class Keeper {
  private readonly own = new Map<string, string>();
  private isBroken = typeof window === 'undefined';

  constructor(private readonly storage: 'localStorage' | 'sessionStorage') {}

  get(key: string): string | null {
    return this.attempt((storage) => storage.getItem(key)) ?? (this.isBroken ? (this.own.get(key) ?? null) : null);
  }

  /** @param value null: it is forgotten */
  set(key: string, value: string | null): void {
    if (value === null) this.own.delete(key);
    else this.own.set(key, value);
    this.attempt((storage) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)));
  }

  /** Even to name a blocked storage throws; a full one does when it is written to. */
  private attempt<T>(work: (storage: Storage) => T): T | undefined {
    if (this.isBroken) return undefined;
    try {
      return work(window[this.storage]);
    } catch {
      this.isBroken = true;
      return undefined;
    }
  }
}
