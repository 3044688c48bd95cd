import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import { catchError, map, of } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { exceptionToFailure } from '../../http/responses/exception-to-failure';
import { isNavigation, Redirect } from '../../http/responses/redirect';
import { err, type Result } from '../../platform/result';
import type { SecondFactorNeeded } from '../domain/second-factor-needed';
import type { IssuedAccessToken, TokenPair } from '../domain/token-pair';

/** Without the refresh token if it is only in the cookie. */
type Tokens = (IssuedAccessToken & Partial<Pick<TokenPair, 'refreshToken'>>) | SecondFactorNeeded;

/** Which requests are redirected: browser navigations only, or all. */
type RedirectScope = 'navigation' | 'anyone';

/**
 * Redirects a browser that opened a link to the web client, with the tokens, the ticket for a
 * second factor or the error code in the fragment. Other clients get the JSON response, unless the
 * scope is `anyone`.
 */
export function redirectBrowser({
  success,
  failure: onFailure,
}: {
  success: RedirectScope;
  failure: RedirectScope;
}): Type<NestInterceptor> {
  @Injectable()
  class BrowserRedirectInterceptor implements NestInterceptor {
    constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

    intercept(context: ExecutionContext, next: CallHandler<Result<Tokens, string> | undefined>) {
      const navigates = isNavigation(context.switchToHttp().getRequest<Request>());
      const isRedirected = (scope: RedirectScope) => scope === 'anyone' || navigates;
      return next.handle().pipe(
        catchError((thrown: unknown) => {
          const failure = exceptionToFailure(thrown);
          // left to the filter, which also logs it
          if (failure.kind === 'internal' || failure.kind === 'unavailable') throw thrown;
          return of(err(failure));
        }),
        map((outcome) =>
          outcome && isRedirected(outcome.ok ? success : onFailure) ? this.redirect(outcome) : outcome,
        ),
      );
    }

    private redirect(outcome: Result<Tokens, string>): Redirect {
      if (!outcome.ok) return Redirect.withFragment(this.settings.frontendUrl, { error: outcome.failure.code });
      if ('secondFactor' in outcome.value) return this.redirectForSecondFactor(outcome.value);
      const { accessToken, refreshToken, expiresIn } = outcome.value;
      return Redirect.withFragment(this.settings.frontendUrl, {
        accessToken,
        ...(refreshToken && { refreshToken }),
        expiresIn: String(expiresIn),
      });
    }

    private redirectForSecondFactor({ secondFactor: { ticket, methods, expiresIn } }: SecondFactorNeeded): Redirect {
      return Redirect.withFragment(this.settings.frontendUrl, {
        secondFactorTicket: ticket,
        methods: methods.join(','),
        expiresIn: String(expiresIn),
      });
    }
  }
  return BrowserRedirectInterceptor;
}
