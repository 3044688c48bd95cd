import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { CookieSigner } from '../../http/access/cookie-signer';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import type { Provider } from '../../users/users.api';
import { UsedSignInStateRepository } from '../data/used-sign-in-state.repository';
import { UsedSignInState } from '../domain/used-sign-in-state';

const FLOW_SECONDS = 10 * MINUTE;
/** Flows at a provider that a browser can have at a time; another one ends the oldest. */
const MAX_FLOWS = 5;
interface Flow {
  readonly state: string;
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

type Stored = (error: null, state: string) => void;
type Verified = (error: null, verifier: string | false) => void;

/**
 * The state of a sign-in while the user is at an identity provider. A signed cookie keeps it, so
 * that no server-side session is needed, and a flow can only finish in the browser that started it
 * (RFC 6749 section 10.12). Each flow has a cookie of its own: those of several tabs, and of two
 * clicks at once, finish side by side.
 */
@Injectable()
export class ProviderSignInState {
  constructor(
    private readonly cookieSigner: CookieSigner,
    private readonly cookies: HostCookies,
    private readonly usedStates: UsedSignInStateRepository,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The state store for passport's OAuth 2 strategies, which recognize a store for PKCE by the
   * number of its parameters.
   */
  stateStore(provider: Provider) {
    return {
      store: (request: Request, verifier: string, _state: unknown, _meta: object, done: Stored) => {
        const flow: Flow = { state: newSecretToken(), verifier };
        this.endOldest(provider, request);
        this.cookies.set(request.res!, cookieOf(provider, flow.state), this.sign(provider, flow), {
          ...this.attributes(provider),
          maxAge: FLOW_SECONDS * 1000,
        });
        done(null, flow.state);
      },
      verify: (request: Request, state: unknown, _meta: object, done: Verified) => {
        done(null, this.find(provider, request, state)?.verifier ?? false);
      },
    };
  }

  /** The flow of this browser with this state. */
  find(provider: Provider, request: Request, state: unknown): Flow | undefined {
    if (typeof state !== 'string') return undefined;
    const flow = this.read(provider, request, cookieOf(provider, state));
    return flow?.state === state ? flow : undefined;
  }

  /**
   * Marks the state of a flow as used, so that a copy of the cookie cannot be used to sign in
   * again.
   * @returns false if it was used before; of two concurrent calls, one succeeds
   */
  consumeState({ state }: Flow): Promise<boolean> {
    const expiresAt = addSeconds(this.clock.now(), FLOW_SECONDS);
    return this.usedStates.add(UsedSignInState.of(digestOf(state), expiresAt));
  }

  /** Ends a flow after the callback, whatever its result. */
  end(provider: Provider, response: Response, { state }: Flow): void {
    this.cookies.clear(response, cookieOf(provider, state), this.attributes(provider));
  }

  /** Makes room for another flow of this browser. */
  private endOldest(provider: Provider, request: Request): void {
    const names = this.cookies.namesIn(request, prefixOf(provider));
    const endOf = (name: string) => this.read(provider, request, name)?.exp ?? 0;
    const newestFirst = names.toSorted((one, other) => endOf(other) - endOf(one));
    for (const name of newestFirst.slice(MAX_FLOWS - 1))
      this.cookies.clear(request.res!, name, this.attributes(provider));
  }

  private sign(provider: Provider, flow: Flow): string {
    return this.cookieSigner.sign(prefixOf(provider), flow, FLOW_SECONDS);
  }

  private read(provider: Provider, request: Request, cookie: string): (Flow & { exp: number }) | undefined {
    return this.cookieSigner.read(prefixOf(provider), this.cookies.read(request, cookie));
  }

  /** Always SameSite=Lax, because the callback comes from another site. */
  private attributes(provider: Provider): HostCookieOptions {
    return { httpOnly: true, path: `/api/v1/auth/${provider}`, sameSite: 'lax', secure: this.settings.cookie.secure };
  }
}

const prefixOf = (provider: Provider) => `${provider}_sign_in`;

/** The cookie of one flow. */
const cookieOf = (provider: Provider, state: string) =>
  `${prefixOf(provider)}_${digestOf(state).toString('hex').slice(0, 16)}`;
