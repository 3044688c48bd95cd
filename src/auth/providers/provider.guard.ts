import { createParamDecorator, Inject, Injectable, UseGuards, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { FailureException } from '../../edge/failure-status';
import { isOnlyLooking } from '../../edge/no-side-effects';
import { Log } from '../../platform/log';
import { err, ok, type Result } from '../../platform/result';
import type { Provider } from '../../users/users.contract';
import { AuthFailures } from '../auth.failures';
import { ProviderAnswerError } from './provider-client';
import type { ProviderProfile } from './provider-profile';
import { SignInFlow } from './sign-in-flow';

/** Passport's word for a state that its store does not know. */
const STATE_REFUSED = 403;

declare module 'express' {
  interface Request {
    /** Who the identity provider says is here, or why it does not; on the routes that a provider sends browsers back to. */
    recognised?: Result<ProviderProfile>;
  }
}

/** What a provider has answered by way of the browser, once the guard below has looked at it. */
export const Recognised = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().recognised;
});

/** Sends the browser to the provider. 404 PROVIDER_NOT_CONFIGURED. */
export const SendsToProvider = (provider: Provider) => UseGuards(guardOf(provider, 'out'));

/** Takes the provider's answer: a refusal is a value for the route, which tells the web client. 404 PROVIDER_NOT_CONFIGURED. */
export const ReturnsFromProvider = (provider: Provider) => UseGuards(guardOf(provider, 'back'));

function guardOf(provider: Provider, way: 'out' | 'back'): Type<CanActivate> {
  @Injectable()
  class ProviderGuard extends AuthGuard(provider) {
    constructor(
      @Inject(SETTINGS) private readonly settings: Settings,
      private readonly flow: SignInFlow,
      private readonly log: Log,
    ) {
      super();
    }

    override async canActivate(context: ExecutionContext): Promise<boolean> {
      if (!this.settings.providers[provider]) throw new FailureException(AuthFailures.providerNotConfigured);
      const request = context.switchToHttp().getRequest<Request>();
      const response = context.switchToHttp().getResponse<Response>();
      response.setHeader('Referrer-Policy', 'no-referrer');
      if (way === 'out') return super.canActivate(context) as Promise<boolean>;
      if (isOnlyLooking(request)) return true;
      this.flow.end(provider, response);
      if (isAnswer(request)) return super.canActivate(context) as Promise<boolean>;
      request.recognised = err(AuthFailures.providerStateInvalid);
      return true;
    }

    /** On the way out passport must see no code, or it would take the request for an answer. */
    override getRequest(context: ExecutionContext): Request {
      const request = context.switchToHttp().getRequest<Request>();
      return way === 'out' ? (Object.create(request, { query: { value: {} } }) as Request) : request;
    }

    override getAuthenticateOptions() {
      return { session: false, property: 'recognised' };
    }

    override handleRequest<T = Result<ProviderProfile>>(
      error: unknown,
      profile: ProviderProfile | false,
      _info: unknown,
      _c: unknown,
      status?: number,
    ): T {
      return this.outcomeOf(error, profile, status) as T;
    }

    private outcomeOf(error: unknown, profile: ProviderProfile | false, status?: number): Result<ProviderProfile> {
      if (error) {
        this.log.warn({ provider, reason: reasonOf(error) }, 'an identity provider failed');
        return err(AuthFailures.providerFailed);
      }
      if (profile) return ok(profile);
      return err(status === STATE_REFUSED ? AuthFailures.providerStateInvalid : AuthFailures.providerDenied);
    }
  }
  return ProviderGuard;
}

/** Without one of the two, passport would take the request for the beginning of a sign-in. */
function isAnswer({ query }: Request): boolean {
  return Boolean(query.code) || Boolean(query.error);
}

/** What may be logged of a failure: an answer's text could hold a token. */
function reasonOf(error: unknown): string {
  const { name, message, code, oauthError, cause } = error as Error & { code?: string; oauthError?: Error; cause?: { code?: string } };
  if (oauthError) return reasonOf(oauthError);
  return error instanceof ProviderAnswerError ? message : [name, cause?.code ?? code].filter(Boolean).join(' ');
}
