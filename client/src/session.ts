import type { Answer, Failure, Schemas } from './answer.js';
import { claimsOf, type Claims } from './claims.js';
import type { Told } from './fragment.js';
import { hold, live, type Held } from './held.js';
import { Impersonation } from './impersonation.js';
import { Memory } from './memory.js';
import { Tabs } from './tabs.js';

export interface SessionOptions {
  /**
   * `cookie` (browsers): the refresh token stays in the cookie that no script can read
   * (`X-Session`), and all tabs share the session. `token` (Node, native apps): it is kept in
   * memory, and `onRefreshToken` is told of each, to store it.
   */
  readonly keep: 'cookie' | 'token';
  /**
   * With `cookie`: which of several sessions in this browser, a short word; left out: `web`, the
   * web client's.
   */
  readonly name?: string;
  /** With `token`: the one that was stored. */
  readonly refreshToken?: string;
  /**
   * With `token`: store it in place of the one before, which is spent; it is waited for. null: the
   * session has ended.
   */
  readonly onRefreshToken?: (refreshToken: string | null) => void | Promise<void>;
}

type Pair = Schemas['TokenPair'];

/** The name of the web client's session. */
export const WEB = 'web';

/** Whether it is the session that the service's redirects sign in. */
export const isWeb = ({ name = WEB }: SessionOptions): boolean => name === WEB;

/**
 * What renewing came to; a failure is one that leaves the session as it is, such as a service that
 * cannot be reached.
 */
export type Renewal = { readonly is: 'renewed' | 'ended' } | { readonly is: 'failed'; readonly failure: Failure };

/** What other tabs are told: who is signed in from `at` on. */
interface Message {
  readonly own: Held | null;
  readonly at: number;
}

/** No access token lives longer (specification, Limits), whatever an address says. */
const LONGEST_SECONDS = 900;

/**
 * A session as a client holds it: the access token in memory, the refresh token in the cookie (or
 * in memory), refreshed once however many requests and tabs wait for it. Whatever changes it,
 * signing in and out too, takes turns (`inTurn`): a refresh that overlaps would use a token that is
 * being spent, or bring back what was just ended. An impersonation lies over one's own session, in
 * this tab only, and has an end of its own.
 */
export class Session {
  private own: Held | null = null;
  private refreshToken: string | undefined;
  private renewing: Promise<Renewal> | undefined;
  /** When the session here was changed last: what another tab tells of before that is old. */
  private changedAt = 0;
  private readonly tabs: Tabs<Message>;
  private readonly memory: Memory;
  private readonly acting: Impersonation;
  private readonly listeners = new Set<() => void>();

  /**
   * @param refresh asks the service for the next pair
   * @param isAccepted asks the service whether it takes an access token
   */
  constructor(
    private readonly options: SessionOptions,
    private readonly refresh: (body: Schemas['RefreshTokenBody']) => Promise<Answer<Pair>>,
    private readonly isAccepted: (accessToken: string) => Promise<boolean>,
  ) {
    const name = `tenantry.${isWeb(options) ? 'client' : options.name}`;
    this.refreshToken = options.refreshToken;
    this.tabs = new Tabs(name, (message) => this.hear(message));
    this.memory = new Memory(name);
    this.acting = new Impersonation(this.memory, () => this.changed());
  }

  /**
   * Who is signed in, as the access token says; null: nobody, or not known yet (see `restore`). The
   * same object as long as nothing changes.
   */
  readonly claims = (): Claims | null => (this.acting.held ?? this.own)?.claims ?? null;

  /** Told whenever `claims` has changed. @returns to stop being told */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Who acts, and where: what must not change under a request. */
  owner(): string | undefined {
    const claims = this.claims();
    return claims ? [claims.sub, claims.tenant_id, claims.impersonator_id].join(' ') : undefined;
  }

  /** Whether there may be a refresh token: who never signed in here is not asked about. */
  mayBeSignedIn(): boolean {
    return this.options.keep === 'cookie' ? this.memory.isSignedIn : this.refreshToken !== undefined;
  }

  /**
   * At the start of a page: takes what the fragment brought, or else goes on where this browser
   * left off. With a cookie the tokens of a fragment only say that there is one: anybody can make a
   * link with tokens of their own, and nobody should find themselves in another's account by it.
   * Nor does a token decide that somebody is acted as, before the service has taken it: anybody can
   * write one, unsigned.
   */
  async restore({ accessToken, refreshToken, expiresIn = 0 }: Told = {}): Promise<Claims | null> {
    if (accessToken && claimsOf(accessToken)?.impersonator_id) {
      if (!(await this.isAccepted(accessToken))) return this.restore();
      this.acting.begin(accessToken, Date.now() + Math.min(expiresIn, LONGEST_SECONDS) * 1000);
      this.changed();
    } else if (accessToken) {
      this.leaveImpersonation();
      if (this.options.keep === 'token') await this.take({ accessToken, refreshToken, expiresIn });
      else await this.inTurn(() => this.renewInTurn(this.own?.accessToken, true));
    }
    if (!live(this.own) && this.mayBeSignedIn()) await this.renew();
    return this.claims();
  }

  /** Back to one's own session, if there is one. */
  leaveImpersonation(): null {
    this.acting.end();
    this.changed();
    return null;
  }

  /**
   * Waits for every other change of the session, here and in other tabs, and keeps them waiting.
   * Within, use `renewInTurn`.
   */
  inTurn<T>(change: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.tabs.alone(change, signal);
  }

  /**
   * What an operation gave to who signed in, or went to another tenant: then the refresh token is
   * the one of before. Call in turn.
   */
  async adopt(pair: Schemas['AccessTokenView'] & { refreshToken?: string }): Promise<void> {
    this.leaveImpersonation();
    await this.take(pair);
  }

  /**
   * The session is over, here and in the other tabs; the service has been told already, or said so.
   * Call in turn.
   */
  end(): void {
    this.tell(null);
    this.forget();
  }

  /** The refresh token as a body carries it; the cookie is sent by itself. */
  spend(): Schemas['RefreshTokenBody'] {
    return this.refreshToken === undefined ? {} : { refreshToken: this.refreshToken };
  }

  /**
   * The access token for a request, renewed where it has run out; undefined: nobody is signed in.
   */
  async token(renew: () => Promise<Renewal> = () => this.renew()): Promise<Answer<string | undefined>> {
    const acting = live(this.acting.held);
    if (acting) return { ok: true, data: acting.accessToken };
    if (this.acting.held) this.leaveImpersonation();
    if (!live(this.own) && this.mayBeSignedIn()) {
      const renewal = await renew();
      if (renewal.is === 'failed') return { ok: false, error: renewal.failure };
    }
    return { ok: true, data: this.own?.accessToken };
  }

  /**
   * Gets the next pair, once for all that ask meanwhile, here and in other tabs.
   * @param rejected the access token that the service did not take: with another one at hand there
   * is nothing to renew
   */
  renew(rejected = this.own?.accessToken): Promise<Renewal> {
    if (rejected !== undefined && this.acting.held?.accessToken === rejected) {
      this.leaveImpersonation();
      return Promise.resolve({ is: 'ended' });
    }
    this.renewing ??= this.inTurn(() => this.renewInTurn(rejected)).finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** The same for who has the turn. @param isSignedIn whether it is known that there is a cookie */
  async renewInTurn(rejected: string | undefined, isSignedIn = this.mayBeSignedIn()): Promise<Renewal> {
    if (this.own && this.own.accessToken !== rejected && live(this.own)) return { is: 'renewed' };
    if (!isSignedIn) {
      this.forget(); // somebody has logged out before it was our turn
      return { is: 'ended' };
    }
    const begun = this.changedAt;
    const asked = this.memory.refreshing(() => this.refresh(this.spend()));
    const answer = await withinTurn(asked);
    // The service may have spent the token although its answer is late: it is taken when it comes,
    // unless the session has become another one.
    if (!answer) void asked.then((late) => (late.ok && this.changedAt === begun ? this.take(late.data) : undefined));
    if (!answer) return { is: 'failed', failure: TOO_LATE };
    if (answer.ok) await this.take(answer.data);
    else if (!isRefused(answer.error)) return { is: 'failed', failure: answer.error };
    else this.end();
    return { is: answer.ok ? 'renewed' : 'ended' };
  }

  /** Lets go of what keeps a process alive. */
  close(): void {
    this.acting.stop();
    this.tabs.close();
  }

  private async take({
    accessToken,
    refreshToken,
    expiresIn,
  }: Pick<Pair, 'accessToken' | 'expiresIn'> & { refreshToken?: string }): Promise<void> {
    const held = hold(accessToken, Date.now() + expiresIn * 1000);
    if (!held) return;
    if (this.options.keep === 'token' && refreshToken !== this.refreshToken) {
      this.refreshToken = refreshToken;
      await this.options.onRefreshToken?.(refreshToken ?? null);
    }
    this.memory.isSignedIn = true;
    this.own = held;
    this.tell(held);
    this.changed();
  }

  /**
   * Tells the other tabs; the clock that orders this never goes back, whatever that of the machine
   * does.
   */
  private tell(own: Held | null): void {
    this.changedAt = Math.max(Date.now(), this.changedAt + 1);
    this.tabs.tell({ own, at: this.changedAt });
  }

  /** Another tab tells. */
  private hear({ own, at }: Message): void {
    if (at < this.changedAt) return;
    this.changedAt = at;
    if (!own) return this.forget();
    this.memory.isSignedIn = true;
    this.own = own;
    this.changed();
  }

  /** One's own session; an impersonation has an end of its own. */
  private forget(): void {
    if (this.refreshToken !== undefined) void this.options.onRefreshToken?.(null);
    this.refreshToken = undefined;
    this.memory.isSignedIn = false;
    this.own = null;
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** What nobody answers keeps all tabs waiting no longer than this. */
export const TURN_MS = 30_000;

const TOO_LATE: Failure = {
  code: 'UNREACHABLE',
  message: 'The service does not answer.',
  status: 0,
  requestId: null,
  retryAfter: null,
};

/**
 * @returns undefined when it takes too long; it is not aborted: its answer may still bring the next
 * token
 */
function withinTurn<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout>;
  const tooLong = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), TURN_MS)));
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}

/**
 * Whether the service itself says that there is no session any more, and not a proxy, or a service
 * that cannot now.
 */
function isRefused({ code, status }: Failure): boolean {
  return code !== 'UNREACHABLE' && [400, 401, 403].includes(status);
}
