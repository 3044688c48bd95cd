import { parseAccessToken, unexpired, type AccessToken } from './access-token.js';
import type { Answer, Failure, Schemas } from './api-answer.js';
import { claimsOf, type Claims } from './claims.js';
import { CrossTabChannel } from './cross-tab-channel.js';
import { CrossTabLock } from './cross-tab-lock.js';
import type { FragmentParams } from './redirect-fragment.js';
import { Impersonation } from './impersonation.js';
import { SessionStorage } from './session-storage.js';

export interface SessionOptions {
  /**
   * `cookie` (browsers): the refresh token stays in an HttpOnly cookie (`X-Session`), and all tabs
   * share the session. `token` (Node, native apps): the refresh token is kept in memory, and each
   * new one is passed to `onRefreshToken`.
   */
  readonly keep: 'cookie' | 'token';
  /** For `cookie`: the name of the session, if a browser has several. Default: `web`. */
  readonly name?: string;
  /** For `token`: the stored refresh token. */
  readonly refreshToken?: string;
  /**
   * For `token`: stores the refresh token in place of the previous one, which cannot be used again.
   * The client waits for the promise. null: the session has ended.
   */
  readonly onRefreshToken?: (refreshToken: string | null) => void | Promise<void>;
}

type Pair = Schemas['TokenPair'];
type RefreshBody = Schemas['RefreshSessionBody'];

/** The name of the web client's session. */
export const WEB = 'web';

/** Whether redirects of the service sign this session in. */
export const isWeb = ({ name = WEB }: SessionOptions): boolean => name === WEB;

/**
 * The result of renewing the access token. `failed` leaves the session as it is: the service could
 * not be reached, for example.
 */
export type Renewal = { readonly kind: 'renewed' | 'ended' } | { readonly kind: 'failed'; readonly failure: Failure };

/** Sent to the other tabs: the access token since `at`, null after signing out. */
interface Message {
  readonly own: AccessToken | null;
  readonly at: number;
}

/** The longest lifetime of an access token (docs/specification.md, Limits). */
const MAX_TOKEN_SECONDS = 900;

/**
 * The session of a client: the access token in memory, the refresh token in the cookie or in
 * memory. However many requests and tabs need a new token, it is renewed once. Every change of the
 * session, signing in and out included, runs under one lock: two overlapping refreshes would use
 * one refresh token twice, and a late one could restore a session that was just ended. Each tab has
 * a tenant of its own: its refreshes name it, and tokens of other tenants that other tabs send are
 * ignored. An impersonation covers the user's own session, in this tab only.
 */
export class Session {
  private own: AccessToken | null = null;
  private refreshToken: string | undefined;
  private renewing: Promise<Renewal> | undefined;
  /** When this session last changed. Older messages of other tabs are ignored. */
  private changedAt = 0;
  private readonly lock: CrossTabLock;
  private readonly channel: CrossTabChannel<Message>;
  private readonly storage: SessionStorage;
  private readonly impersonation: Impersonation;
  private readonly listeners = new Set<() => void>();

  /**
   * @param refresh requests the next token pair; a request with the same key repeats the response
   * @param isAccepted asks the service whether an access token is valid
   */
  constructor(
    private readonly options: SessionOptions,
    private readonly refresh: (body: RefreshBody, key: string) => Promise<Answer<Pair>>,
    private readonly isAccepted: (accessToken: string) => Promise<boolean>,
  ) {
    const name = `tenantry.${isWeb(options) ? 'client' : options.name}`;
    this.refreshToken = options.refreshToken;
    this.lock = new CrossTabLock(name);
    this.channel = new CrossTabChannel(name, (message) => this.receive(message));
    this.storage = new SessionStorage(name);
    this.impersonation = new Impersonation(this.storage, () => this.notify());
  }

  /**
   * The claims of the current access token. null if no user is signed in, or before `restore`. The
   * same object until the session changes.
   */
  readonly claims = (): Claims | null => (this.impersonation.token ?? this.own)?.claims ?? null;

  /** Calls the listener when `claims` has changed. @returns a function that removes the listener */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The acting user, tenant and operator. A request is not sent if they have changed. */
  owner(): string | undefined {
    const claims = this.claims();
    return claims ? [claims.sub, claims.tenant_id, claims.impersonator_id].join(' ') : undefined;
  }

  /** Whether there may be a refresh token. Without a past sign-in here no refresh is tried. */
  mayBeSignedIn(): boolean {
    return this.options.keep === 'cookie' ? this.storage.isSignedIn : this.refreshToken !== undefined;
  }

  /**
   * Restores the session when a page starts, from the fragment or from what this browser kept. With
   * a cookie the tokens in a fragment only show that there is a cookie. They are not used, because
   * anybody can send a link with tokens of another account. For the same reason an impersonation
   * begins only after the service has accepted its token.
   * @param tenantId the tenant to continue in, if the user is a member, such as the one in the
   * address. Default: the previous tenant of this tab, else the one that was chosen last
   */
  async restore(
    { accessToken, refreshToken, expiresIn = 0 }: FragmentParams = {},
    tenantId?: string,
  ): Promise<Claims | null> {
    if (tenantId !== undefined) this.storage.setTenant(tenantId, false);
    if (accessToken && claimsOf(accessToken)?.impersonator_id) {
      if (!(await this.isAccepted(accessToken))) return this.restore();
      this.impersonation.begin(accessToken, Date.now() + Math.min(expiresIn, MAX_TOKEN_SECONDS) * 1000);
      this.notify();
    } else if (accessToken) {
      this.leaveImpersonation();
      if (this.options.keep === 'token') await this.take({ accessToken, refreshToken, expiresIn });
      else await this.withLock(() => this.renewLocked(this.own?.accessToken, true));
    }
    if (!this.mayBeSignedIn()) this.storage.setTenant(null, false);
    else if (!unexpired(this.own)) await this.renew();
    if (tenantId !== undefined && this.own?.claims.tenant_id === tenantId) this.storage.setTenant(tenantId, true);
    return this.claims();
  }

  /** Returns to the operator's own session, if there is one. */
  leaveImpersonation(): null {
    this.impersonation.end();
    this.notify();
    return null;
  }

  /**
   * Runs a change of the session while no other change runs, here or in other tabs. Within it, use
   * `renewLocked`.
   */
  withLock<T>(change: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.lock.run(change, signal);
  }

  /**
   * Takes the token of a sign-in or a tenant switch. After a switch the refresh token remains the
   * same. Call it with the lock held.
   */
  async adopt(pair: Schemas['AccessTokenView'] & { refreshToken?: string }): Promise<void> {
    this.leaveImpersonation();
    await this.take(pair, true);
  }

  /**
   * Ends the session here and in the other tabs. The service has already ended it. Call it with the
   * lock held.
   */
  async end(): Promise<void> {
    const delivered = this.broadcast(null);
    this.clear();
    await delivered;
  }

  /** The body that carries the refresh token. Empty with a cookie, which the browser sends. */
  refreshBody(): Schemas['RefreshTokenBody'] {
    return this.refreshToken === undefined ? {} : { refreshToken: this.refreshToken };
  }

  /** The access token for a request, renewed if it has expired. undefined: no user is signed in. */
  async token(renew: () => Promise<Renewal> = () => this.renew()): Promise<Answer<string | undefined>> {
    const impersonating = unexpired(this.impersonation.token);
    if (impersonating) return { ok: true, data: impersonating.accessToken };
    if (this.impersonation.token) this.leaveImpersonation();
    if (!unexpired(this.own) && this.mayBeSignedIn()) {
      const renewal = await renew();
      if (renewal.kind === 'failed') return { ok: false, error: renewal.failure };
    }
    return { ok: true, data: this.own?.accessToken };
  }

  /**
   * Renews the tokens. Calls that arrive meanwhile, here and in other tabs, share one refresh.
   * @param rejected the access token that the service rejected. If the session has another one by
   * now, no refresh is sent
   */
  renew(rejected = this.own?.accessToken): Promise<Renewal> {
    if (rejected !== undefined && this.impersonation.token?.accessToken === rejected) {
      this.leaveImpersonation();
      return Promise.resolve({ kind: 'ended' });
    }
    this.renewing ??= this.withLock(() => this.renewLocked(rejected)).finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /**
   * `renew` for callers that hold the lock.
   * @param isSignedIn whether there may be a refresh token
   */
  async renewLocked(rejected: string | undefined, isSignedIn = this.mayBeSignedIn()): Promise<Renewal> {
    if (this.own && this.own.accessToken !== rejected && unexpired(this.own)) return { kind: 'renewed' };
    if (!isSignedIn) {
      this.clear(); // another tab signed out while this one waited for the lock
      return { kind: 'ended' };
    }
    const startedAt = this.changedAt;
    const refreshing = this.storage.recordRefresh((key) => this.refreshInTenant(key), isAnswered);
    const answer = await withTimeout(refreshing);
    // A late response still counts: the service has already replaced the refresh token. It is used
    // when it arrives, unless the session has changed since.
    if (!answer) {
      void refreshing.then((late) => (late.ok && this.changedAt === startedAt ? this.take(late.data) : undefined));
      return { kind: 'failed', failure: TOO_LATE };
    }
    if (answer.ok) await this.take(answer.data);
    else if (!isSessionEnded(answer.error)) return { kind: 'failed', failure: answer.error };
    else await this.end();
    return { kind: answer.ok ? 'renewed' : 'ended' };
  }

  /** Stops timers and closes channels, which keep a Node process alive. */
  close(): void {
    this.impersonation.stopTimer();
    this.channel.close();
  }

  /** The next pair for the tenant of this tab, else for the active tenant of the session. */
  private async refreshInTenant(key: string): Promise<Answer<Pair>> {
    const tenantId = this.storage.tenantId;
    const body = this.refreshBody();
    if (tenantId === null) return this.refresh(body, key);
    const answer = await this.refresh({ ...body, tenantId }, key);
    // The service has not used the refresh token up: it refuses the id, or is an older version.
    return !answer.ok && answer.error.details?.tenantId ? this.refresh(body, key) : answer;
  }

  /** @param isChosen whether the user signed in or chose the tenant: new tabs begin there */
  private async take(
    { accessToken, refreshToken, expiresIn }: Pick<Pair, 'accessToken' | 'expiresIn'> & { refreshToken?: string },
    isChosen = false,
  ): Promise<void> {
    const token = parseAccessToken(accessToken, Date.now() + expiresIn * 1000);
    if (!token) return;
    if (this.options.keep === 'token' && refreshToken !== this.refreshToken) {
      this.refreshToken = refreshToken;
      await this.options.onRefreshToken?.(refreshToken ?? null);
    }
    this.storage.isSignedIn = true;
    this.storage.setTenant(token.claims.tenant_id ?? null, isChosen);
    this.own = token;
    const delivered = this.broadcast(token);
    this.notify();
    await delivered;
  }

  /**
   * Informs the other tabs. Its timestamps never go back, even if the machine's clock does. The
   * lock is held until the message is on its way: the next tab then needs no refresh of its own.
   */
  private broadcast(own: AccessToken | null): Promise<void> {
    this.changedAt = Math.max(Date.now(), this.changedAt + 1);
    return this.channel.deliver({ own, at: this.changedAt });
  }

  /** Takes over a change of another tab, except for a token of the same user in another tenant. */
  private receive({ own, at }: Message): void {
    if (at < this.changedAt) return;
    this.changedAt = at;
    if (!own) return this.clear();
    this.storage.isSignedIn = true;
    if (this.isOfAnotherTenant(own)) return;
    this.storage.setTenant(own.claims.tenant_id ?? null, false);
    this.own = own;
    this.notify();
  }

  /**
   * Whether a token is for another tenant than this tab's. Not if it belongs to another user, who
   * has signed in, and not if this tab has no tenant.
   */
  private isOfAnotherTenant({ claims }: AccessToken): boolean {
    if (this.own && this.own.claims.sub !== claims.sub) return false;
    const tenantId = this.own ? this.own.claims.tenant_id : this.storage.ownTenantId;
    return typeof tenantId === 'string' && tenantId !== claims.tenant_id;
  }

  /** Clears the user's own session. An impersonation is not affected. */
  private clear(): void {
    if (this.refreshToken !== undefined) void this.options.onRefreshToken?.(null);
    this.refreshToken = undefined;
    this.storage.isSignedIn = false;
    this.storage.setTenant(null, true);
    this.own = null;
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The lock is held no longer than this, even if the service does not answer. */
export const LOCK_TIMEOUT_MS = 30_000;

const TOO_LATE: Failure = {
  code: 'UNREACHABLE',
  message: 'The service does not answer.',
  status: 0,
  requestId: null,
  retryAfter: null,
};

/**
 * @returns undefined after LOCK_TIMEOUT_MS. The work continues, since its result can still be used.
 */
function withTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOCK_TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Whether the service has answered; with 5xx, the refresh token may have been exchanged. */
const isAnswered = (answer: Answer<Pair>): boolean => answer.ok || isSessionEnded(answer.error);

/** Whether the service itself rejects the refresh token. Errors of proxies and 5xx do not count. */
function isSessionEnded({ code, status }: Failure): boolean {
  return code !== 'UNREACHABLE' && [400, 401, 403].includes(status);
}
