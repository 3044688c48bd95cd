import { randomKey } from './random-key.js';

/** The token of an impersonation, kept so that it survives a reload of its tab. */
export interface StoredImpersonation {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How long a refresh of a closed tab may take to arrive at the service. */
const INTERRUPTED_MS = 2000;

/**
 * The state that survives a reload: whether a user is signed in (all tabs), the tenant and an
 * impersonation (this tab). It never contains a refresh token. If the browser blocks its storage,
 * or the storage is full, the state is lost at the next reload.
 */
export class SessionStorage {
  private readonly allTabs = new BrowserStorage('localStorage');
  private readonly thisTab = new BrowserStorage('sessionStorage');

  constructor(private readonly name: string) {}

  get isSignedIn(): boolean {
    return this.allTabs.get(`${this.name}.signed-in`) !== null;
  }

  set isSignedIn(isSignedIn: boolean) {
    this.allTabs.set(`${this.name}.signed-in`, isSignedIn ? 'true' : null);
  }

  /** The tenant of this tab. In a new tab: the one that was chosen last in any tab. */
  get tenantId(): string | null {
    return this.ownTenantId ?? this.allTabs.get(`${this.name}.tenant`);
  }

  /** The tenant of this tab, null if it has none yet. */
  get ownTenantId(): string | null {
    return this.thisTab.get(`${this.name}.tenant`);
  }

  /**
   * Sets or forgets the tenant of this tab.
   * @param isChosen whether the user chose it: new tabs begin with it
   */
  setTenant(tenantId: string | null, isChosen: boolean): void {
    this.thisTab.set(`${this.name}.tenant`, tenantId);
    if (isChosen) this.allTabs.set(`${this.name}.tenant`, tenantId);
  }

  /**
   * Runs a refresh and records that it is in progress. A tab that is closed or reloaded during a
   * refresh releases its lock while the request is still on its way. The next refresh waits until
   * that request has arrived.
   * @param refresh receives the key of the exchange: that of the one before, if its response was
   * not received, so that the service repeats it
   * @param isSettled whether the service has answered, so that the next exchange has another key
   */
  async recordRefresh<T>(refresh: (key: string) => Promise<T>, isSettled: (answer: T) => boolean): Promise<T> {
    const [started, keyName] = [`${this.name}.refreshing`, `${this.name}.refresh-key`];
    const startedAt = Number(this.allTabs.get(started));
    const wait = startedAt ? Math.min(startedAt + INTERRUPTED_MS - Date.now(), INTERRUPTED_MS) : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const key = this.allTabs.get(keyName) ?? randomKey();
    this.allTabs.set(started, String(Date.now()));
    this.allTabs.set(keyName, key);
    try {
      const answer = await refresh(key);
      if (isSettled(answer) && this.allTabs.get(keyName) === key) this.allTabs.set(keyName, null);
      return answer;
    } finally {
      this.allTabs.set(started, null);
    }
  }

  get impersonation(): StoredImpersonation | null {
    return JSON.parse(this.thisTab.get(`${this.name}.impersonation`) ?? 'null') as StoredImpersonation | null;
  }

  set impersonation(stored: StoredImpersonation | null) {
    this.thisTab.set(`${this.name}.impersonation`, stored && JSON.stringify(stored));
  }
}

/** A storage of the browser, or a map in memory if the browser's storage does not work. */
class BrowserStorage {
  private readonly fallback = new Map<string, string>();
  private isBroken = typeof window === 'undefined';

  constructor(private readonly storage: 'localStorage' | 'sessionStorage') {}

  get(key: string): string | null {
    return this.attempt((storage) => storage.getItem(key)) ?? (this.isBroken ? (this.fallback.get(key) ?? null) : null);
  }

  /** @param value null removes the entry */
  set(key: string, value: string | null): void {
    if (value === null) this.fallback.delete(key);
    else this.fallback.set(key, value);
    this.attempt((storage) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)));
  }

  /** A blocked storage throws when it is accessed, a full one when it is written to. */
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
