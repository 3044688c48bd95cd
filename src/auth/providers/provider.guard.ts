import {
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
import { FailureException } from '../../http/responses/http-status';
import { isPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { Log } from '../../platform/observability/log';
import { err, ok, type Failure, type Result } from '../../platform/result';
import type { Provider } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { ProviderAnswerError } from './provider-client';
import type { ProviderProfile } from './provider-profile';
import { SignInFlow } from './sign-in-flow';

/**
 * As providers name their errors (RFC 6749 section 4.1.2.1); anything else anybody may have written
 * into the address.
 */
const ERROR_WORD = /^[a-z_]{1,40}$/;

declare module 'express' {
  interface Request {
    /**
     * Who the identity provider says is here, or why it does not; on the routes that a provider
     * sends browsers back to.
     */
    recognised?: Result<ProviderProfile>;
  }
}

/** What a provider has answered by way of the browser, once the guard below has looked at it. */
export const Recognised = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().recognised;
});

/** Sends the browser to the provider. 404 PROVIDER_NOT_CONFIGURED. */
export const RedirectToProvider = (provider: Provider) => UseGuards(guardOf(provider, 'out'));

/**
 * Takes the provider's answer: a refusal is a value for the route, which tells the web client. 404
 * PROVIDER_NOT_CONFIGURED.
 */
export const ReturnFromProvider = (provider: Provider) => UseGuards(guardOf(provider, 'back'));

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
      if (isPrefetch(request)) return true;
      request.body = undefined; // passport would read an answer out of it too
      if (way === 'back') {
        const refusal = await this.refusalOf(request, response);
        if (refusal) return ((request.recognised = err(refusal)), true);
      }
      return super.canActivate(context) as Promise<boolean>;
    }

    /** On the way out passport must see no code, or it would take the request for an answer. */
    override getRequest(context: ExecutionContext): Request {
      const request = context.switchToHttp().getRequest<Request>();
      return way === 'out' ? (Object.create(request, { query: { value: {} } }) as Request) : request;
    }

    override getAuthenticateOptions() {
      return { session: false, property: 'recognised' };
    }

    override handleRequest<T = Result<ProviderProfile>>(error: unknown, profile: ProviderProfile | false): T {
      return (profile ? ok(profile) : err(this.failed(reasonOf(error)))) as T;
    }

    /**
     * What is wrong before anybody is asked. An answer to nothing that was begun here changes
     * nothing: a flow that goes on meanwhile stays.
     */
    private async refusalOf(request: Request, response: Response): Promise<Failure | undefined> {
      const { code, state, error } = request.query;
      const flow = this.flow.find(provider, request, state);
      if (!flow || !(await this.flow.takeAnswer(flow))) return AuthFailures.providerStateInvalid;
      this.flow.end(provider, response);
      if (error === 'access_denied') return AuthFailures.providerDenied;
      if (typeof error === 'string' && ERROR_WORD.test(error)) return this.failed(error);
      if (error || !code) return this.failed('an answer without code'); // passport would begin anew
      return undefined;
    }

    private failed(reason: string): Failure {
      this.log.warn({ provider, reason }, 'an identity provider failed');
      return AuthFailures.providerFailed;
    }
  }
  return ProviderGuard;
}

/** What may be logged of a failure: an answer's text could hold a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'refused';
  const { name, message, code, oauthError, cause } = error as Error & {
    code?: string;
    oauthError?: Error;
    cause?: { code?: string };
  };
  if (oauthError) return reasonOf(oauthError);
  return error instanceof ProviderAnswerError ? message : [name, cause?.code ?? code].filter(Boolean).join(' ');
}
