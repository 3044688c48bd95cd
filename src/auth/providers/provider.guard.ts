import {
  applyDecorators,
  createParamDecorator,
  Inject,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { SetsCookie } from '../../http/openapi/openapi-responses.decorator';
import { FailureException } from '../../http/responses/http-status';
import { isPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { Log } from '../../platform/observability/log';
import { err, ok, type Result } from '../../platform/result';
import type { Provider } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { ProviderResponseError } from './provider-client';
import type { ProviderProfile } from './provider-profile';
import { ProviderSignInState } from './provider-sign-in-state';

/** An error code of a provider (RFC 6749 section 4.1.2.1). Other values are not logged. */
const ERROR_CODE = /^[a-z_]{1,40}$/;

const { providerStateInvalid, providerDenied, providerFailed } = AuthFailures;
type CallbackFailure = typeof providerStateInvalid | typeof providerDenied | typeof providerFailed;

/** The profile at the provider, or why the callback has none. */
export type ProviderOutcome = Result<ProviderProfile, CallbackFailure['code']>;

declare module 'express' {
  interface Request {
    /** The result of a provider sign-in, on the callback routes. */
    providerResult?: ProviderOutcome;
  }
}

/** The result of the provider sign-in, as set by `ReturnFromProvider`. */
export const ProviderResult = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().providerResult;
});

/** Redirects the browser to the provider. 404 PROVIDER_NOT_CONFIGURED. */
export const RedirectToProvider = (provider: Provider) =>
  applyDecorators(UseGuards(guardOf(provider, 'redirect')), SetsCookie());

/**
 * Handles the callback of the provider. A failure is passed to the route as a value, so that it
 * reaches the web client. 404 PROVIDER_NOT_CONFIGURED.
 */
export const ReturnFromProvider = (provider: Provider) =>
  applyDecorators(UseGuards(guardOf(provider, 'callback')), SetsCookie());

function guardOf(provider: Provider, step: 'redirect' | 'callback'): Type<CanActivate> {
  @Injectable()
  class ProviderGuard extends AuthGuard(provider) {
    constructor(
      @Inject(SETTINGS) private readonly settings: Settings,
      private readonly signInState: ProviderSignInState,
      private readonly log: Log,
    ) {
      super();
    }

    override async canActivate(context: ExecutionContext): Promise<boolean> {
      if (!this.settings.providers[provider]) throw new FailureException(AuthFailures.providerNotConfigured);
      const request = context.switchToHttp().getRequest<Request>();
      const response = context.switchToHttp().getResponse<Response>();
      response.setHeader('Referrer-Policy', 'no-referrer');
      if (isPrefetch(request)) return true;
      request.body = undefined; // passport would also read a callback from it
      if (step === 'callback') {
        const failure = await this.checkCallback(request, response);
        if (failure) {
          request.providerResult = err(failure);
          return true;
        }
      }
      return super.canActivate(context) as Promise<boolean>;
    }

    /** Hides the query from passport, which would take a request with a code for a callback. */
    override getRequest(context: ExecutionContext): Request {
      const request = context.switchToHttp().getRequest<Request>();
      return step === 'redirect' ? (Object.create(request, { query: { value: {} } }) as Request) : request;
    }

    override getAuthenticateOptions() {
      return { session: false, property: 'providerResult' };
    }

    override handleRequest<T = ProviderOutcome>(error: unknown, profile: ProviderProfile | false): T {
      return (profile ? ok(profile) : err(this.failed(reasonOf(error)))) as T;
    }

    /**
     * Checks a callback before the provider is called. A callback without a matching flow changes
     * nothing, so that a flow in another tab can continue.
     */
    private async checkCallback(request: Request, response: Response): Promise<CallbackFailure | undefined> {
      const { code, state, error } = request.query;
      const flow = this.signInState.find(provider, request, state);
      if (!flow || !(await this.signInState.consumeState(flow))) return providerStateInvalid;
      this.signInState.end(provider, response, flow);
      if (error === 'access_denied') return providerDenied;
      if (typeof error === 'string' && ERROR_CODE.test(error)) return this.failed(error);
      if (error || !code) return this.failed('callback without code'); // passport would start another flow
      return undefined;
    }

    private failed(reason: string) {
      this.log.warn({ event: 'provider.sign_in_failed', provider, reason }, 'Sign-in with an identity provider failed');
      return providerFailed;
    }
  }
  return ProviderGuard;
}

/** The loggable part of an error. A response text is never logged, because it may hold a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'refused';
  const { name, message, code, oauthError, cause } = error as Error & {
    code?: string;
    oauthError?: Error;
    cause?: { code?: string };
  };
  if (oauthError) return reasonOf(oauthError);
  return error instanceof ProviderResponseError ? message : [name, cause?.code ?? code].filter(Boolean).join(' ');
}
