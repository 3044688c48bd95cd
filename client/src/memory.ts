/** An impersonation as its tab keeps it over a reload. */
export interface KeptImpersonation {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * What outlives a reload: that somebody signed in here (in all tabs), and an impersonation (in this tab). No refresh token. Where the browser keeps nothing,
 * because storage is blocked or full, it lasts until the reload.
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

  get impersonation(): KeptImpersonation | null {
    return JSON.parse(this.tab.get(`${this.name}.impersonation`) ?? 'null') as KeptImpersonation | null;
  }

  set impersonation(held: KeptImpersonation | null) {
    this.tab.set(`${this.name}.impersonation`, held && JSON.stringify(held));
  }
}

class Keeper {
  private readonly own = new Map<string, string>();

  constructor(private readonly storage: 'localStorage' | 'sessionStorage') {}

  get(key: string): string | null {
    return this.attempt((storage) => storage.getItem(key)) ?? this.own.get(key) ?? null;
  }

  /** @param value null: it is forgotten */
  set(key: string, value: string | null): void {
    if (value === null) this.own.delete(key);
    else this.own.set(key, value);
    this.attempt((storage) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)));
  }

  /** Even to name a blocked storage throws. */
  private attempt<T>(work: (storage: Storage) => T): T | undefined {
    if (typeof window === 'undefined') return undefined;
    try {
      return work(window[this.storage]);
    } catch {
      return undefined;
    }
  }
}
