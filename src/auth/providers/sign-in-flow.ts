import { Inject, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { cookieIn } from '../../http/access/cookies';
import { SignedCookies } from '../../http/access/signed-cookies';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Provider } from '../../users/users.api';

const FLOW_SECONDS = 10 * MINUTE;
const USE_STATE =
  'INSERT INTO used_sign_in_states (state_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING state_hash';

interface Flow {
  readonly state: string;
  /** What proves to the provider that the code was asked for here (RFC 7636). */
  readonly verifier: string;
}

type Stored = (error: null, state: string) => void;
type Verified = (error: null, verifier: string | false) => void;

/**
 * What must be remembered while a person is at an identity provider: in a signed cookie of their
 * browser, so that no session is needed, and nobody can have another's browser finish what they
 * have begun (RFC 6749 section 10.12).
 */
@Injectable()
export class SignInFlow {
  constructor(
    private readonly signed: SignedCookies,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The state store that passport's OAuth 2 strategies ask for; they tell by the number of
   * parameters that it is one for PKCE.
   */
  storeOf(provider: Provider) {
    return {
      store: (request: Request, verifier: string, _state: unknown, _meta: object, done: Stored) => {
        const flow: Flow = { state: newSecretToken(), verifier };
        request.res!.cookie(cookieOf(provider), this.sign(provider, flow), {
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

  /** The flow that this browser has begun and that the state belongs to. */
  find(provider: Provider, request: Request, state: unknown): Flow | undefined {
    const flow = this.read(provider, request);
    return flow?.state === state ? flow : undefined;
  }

  /**
   * Takes an answer for a flow. The cookie alone cannot tell a second one: whoever has a copy of it
   * would come in again.
   * @returns false when an answer was taken before; of two at once, one is
   */
  async takeAnswer({ state }: Flow): Promise<boolean> {
    const parameters = [digestOf(state), addSeconds(this.clock.now(), FLOW_SECONDS)];
    return (await this.unitOfWork.query(USE_STATE, parameters)).length === 1;
  }

  /** A flow ends with its answer, whatever that is. */
  end(provider: Provider, response: Response): void {
    response.clearCookie(cookieOf(provider), this.attributes(provider));
  }

  private sign(provider: Provider, flow: Flow): string {
    return this.signed.sign(cookieOf(provider), flow, FLOW_SECONDS);
  }

  private read(provider: Provider, request: Request): Flow | undefined {
    return this.signed.read<Flow>(cookieOf(provider), cookieIn(request, cookieOf(provider)));
  }

  /** Lax, whatever the other cookies are: the browser comes back from another site. */
  private attributes(provider: Provider): CookieOptions {
    return { httpOnly: true, path: `/api/v1/auth/${provider}`, sameSite: 'lax', secure: this.settings.cookie.secure };
  }
}

const cookieOf = (provider: Provider) => `${provider}_sign_in`;
