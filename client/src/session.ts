import type { Failure, Schemas } from './answer.js';
import { claimsOf, type Claims } from './claims.js';
import type { Told } from './fragment.js';
import { Tabs } from './tabs.js';

export interface SessionOptions {
  /**
   * `cookie` (browsers): the refresh token stays in the cookie that no script can read, and all tabs share the session.
   * `token` (Node, native apps): it is kept in memory, and `onRefreshToken` is told of each, to store it.
   */
  readonly keep: 'cookie' | 'token';
  /** With `cookie`: which of several sessions in this browser, a short word; left out: the web client's. */
  readonly name?: string;
  /** With `token`: the one that was stored. */
  readonly refreshToken?: string;
  /** With `token`: store it in place of the one before, which is spent; null: the session has ended. */
  readonly onRefreshToken?: (refreshToken: string | null) => void;
}

/** What renewing came to; a failure is one that leaves the session as it is, such as a service that cannot be reached. */
export type Renewal = { readonly is: 'renewed' | 'ended' } | { readonly is: 'failed'; readonly failure: Failure };

/** How the session asks for the next pair. */
export type Refresh = (body: Schemas['RefreshTokenBody']) => Promise<{ ok: true; data: Schemas['TokenPair'] } | { ok: false; error: Failure }>;

interface Held {
  readonly accessToken: string;
  readonly claims: Claims;
  /** By this machine's clock, milliseconds since 1970. */
  readonly expiresAt: number;
}
type Message = { readonly is: 'renewed'; readonly held: Held } | { readonly is: 'ended' };

/** So long before its end a token is not used any more: it has to arrive, too. */
const MARGIN_MS = 10_000;

/**
 * A session as a client holds it: the access token in memory, the refresh token in the cookie (or in memory), refreshed once however many requests and tabs
 * wait for it. An impersonation lies over one's own session, in this tab only, and has an end of its own.
 */
export class Session {
  private own: Held | null = null;
  private acting: Held | null = null;
  private actingEnds: ReturnType<typeof setTimeout> | undefined;
  private refreshToken: string | undefined;
  private renewing: Promise<Renewal> | undefined;
  private readonly tabs: Tabs<Message>;
  private readonly listeners = new Set<() => void>();
  private readonly memory: Memory;

  constructor(
    private readonly options: SessionOptions,
    private readonly refresh: Refresh,
  ) {
    const name = `tenantry.${options.name ?? 'client'}`;
    this.refreshToken = options.refreshToken;
    this.tabs = new Tabs(name, (message) => this.hear(message));
    this.memory = new Memory(name);
    const impersonation = this.memory.impersonation;
    if (impersonation) this.actAs(hold(impersonation.accessToken, (impersonation.expiresAt - Date.now()) / 1000));
  }

  /** Who is signed in, as the access token says; null: nobody, or not known yet (see `restore`). The same object as long as nothing changes. */
  readonly claims = (): Claims | null => (this.acting ?? this.own)?.claims ?? null;

  /** Told whenever `claims` has changed. @returns to stop being told */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** At the start of a page: takes what the fragment brought, or else goes on where this browser left off. */
  async restore(told: Told = {}): Promise<Claims | null> {
    if (told.accessToken) this.take(told.accessToken, told.expiresIn ?? 0, told.refreshToken);
    else if (!this.live(this.acting) && this.mayBeSignedIn()) await this.renew();
    return this.claims();
  }

  /** A pair that an operation gave. */
  adopt({ accessToken, refreshToken, expiresIn }: Schemas['TokenPair']): void {
    this.take(accessToken, expiresIn, refreshToken);
  }

  /** Back to one's own session, if there is one. */
  leaveImpersonation(): null {
    clearTimeout(this.actingEnds);
    this.acting = null;
    this.memory.impersonation = null;
    this.changed();
    return null;
  }

  /** The refresh token as a body carries it; the cookie is sent by itself. */
  spend(): Schemas['RefreshTokenBody'] {
    return this.refreshToken === undefined ? {} : { refreshToken: this.refreshToken };
  }

  /** The session is over here and in the other tabs; the service has been told already, or said so. */
  end(): void {
    this.forget();
    this.tabs.tell({ is: 'ended' });
  }

  /** The access token for a request, renewed where it has run out; undefined: nobody is signed in. */
  async token(): Promise<{ ok: true; token: string | undefined } | { ok: false; error: Failure }> {
    const acting = this.live(this.acting);
    if (acting) return { ok: true, token: acting.accessToken };
    if (this.acting) this.leaveImpersonation();
    if (!this.live(this.own) && this.mayBeSignedIn()) {
      const renewal = await this.renew();
      if (renewal.is === 'failed') return { ok: false, error: renewal.failure };
    }
    return { ok: true, token: this.own?.accessToken };
  }

  /**
   * Gets the next pair, once for all that ask meanwhile, here and in other tabs.
   * @param rejected the access token that the service did not take: with another one at hand there is nothing to renew
   */
  async renew(rejected = this.own?.accessToken): Promise<Renewal> {
    if (this.acting?.accessToken === rejected && rejected) {
      this.leaveImpersonation();
      return { is: 'ended' };
    }
    this.renewing ??= this.tabs.alone(() => this.renewOnce(rejected)).finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** Lets go of what keeps a process alive. */
  close(): void {
    clearTimeout(this.actingEnds);
    this.tabs.close();
  }

  private async renewOnce(rejected: string | undefined): Promise<Renewal> {
    if (this.own && this.own.accessToken !== rejected && this.live(this.own)) return { is: 'renewed' };
    const answer = await this.refresh(this.spend());
    if (answer.ok) {
      this.adopt(answer.data);
      return { is: 'renewed' };
    }
    const isOver = [400, 401, 403].includes(answer.error.status);
    if (isOver) this.end();
    return isOver ? { is: 'ended' } : { is: 'failed', failure: answer.error };
  }

  private take(accessToken: string, expiresIn: number, refreshToken: string | undefined): void {
    const held = hold(accessToken, expiresIn);
    if (!held) return;
    if (held.claims.impersonator_id) {
      this.memory.impersonation = { accessToken, expiresAt: held.expiresAt };
      this.actAs(held);
      return this.changed();
    }
    if (this.options.keep === 'token') {
      this.refreshToken = refreshToken;
      this.options.onRefreshToken?.(refreshToken ?? null);
    } else this.memory.isSignedIn = true;
    this.own = held;
    this.tabs.tell({ is: 'renewed', held });
    this.changed();
  }

  /** When its time is over, what the page shows must not go on as if it were not. */
  private actAs(held: Held | null): void {
    this.acting = held;
    clearTimeout(this.actingEnds);
    if (held) this.actingEnds = setTimeout(() => this.leaveImpersonation(), held.expiresAt - MARGIN_MS - Date.now());
  }

  /** Another tab tells. */
  private hear(message: Message): void {
    if (message.is === 'ended') return this.forget();
    this.own = message.held;
    this.changed();
  }

  private forget(): void {
    if (this.refreshToken !== undefined) this.options.onRefreshToken?.(null);
    this.refreshToken = undefined;
    this.memory.isSignedIn = false;
    this.memory.impersonation = null;
    this.own = this.acting = null;
    this.changed();
  }

  /** Whether there may be a refresh token: who never signed in here is not asked about. */
  mayBeSignedIn(): boolean {
    return this.options.keep === 'cookie' ? this.memory.isSignedIn : this.refreshToken !== undefined;
  }

  private live(held: Held | null): Held | null {
    return held && held.expiresAt - MARGIN_MS > Date.now() ? held : null;
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

function hold(accessToken: string, expiresIn: number): Held | null {
  const claims = claimsOf(accessToken);
  return claims ? { accessToken, claims, expiresAt: Date.now() + expiresIn * 1000 } : null;
}

/** What outlives a reload: that somebody signed in here (in all tabs), and an impersonation (in this tab). No refresh token. */
class Memory {
  private readonly storages = typeof window === 'undefined' ? null : { browser: window.localStorage, tab: window.sessionStorage };

  constructor(private readonly name: string) {}

  get isSignedIn(): boolean {
    return this.storages?.browser.getItem(`${this.name}.signed-in`) === 'true';
  }

  set isSignedIn(isSignedIn: boolean) {
    if (isSignedIn) this.storages?.browser.setItem(`${this.name}.signed-in`, 'true');
    else this.storages?.browser.removeItem(`${this.name}.signed-in`);
  }

  get impersonation(): { accessToken: string; expiresAt: number } | null {
    return JSON.parse(this.storages?.tab.getItem(`${this.name}.impersonation`) ?? 'null') as { accessToken: string; expiresAt: number } | null;
  }

  set impersonation(held: { accessToken: string; expiresAt: number } | null) {
    if (held) this.storages?.tab.setItem(`${this.name}.impersonation`, JSON.stringify(held));
    else this.storages?.tab.removeItem(`${this.name}.impersonation`);
  }
}
