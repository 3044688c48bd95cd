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
import type { AccessTokenView, TokenPair } from '../domain/token-pair';

/** Without its refresh token where that is left to the cookie. */
type Pair = AccessTokenView & Partial<Pick<TokenPair, 'refreshToken'>>;

/** Who is sent on: only a browser that navigates, or whoever asks. */
type Whom = 'navigation' | 'anyone';

/**
 * Where a person arrives by a link or a redirect: the browser goes on to the web client, the
 * outcome in the fragment. Programs get the envelope, where they are not sent on too.
 */
export function redirectBrowser({ success, failure }: { success: Whom; failure: Whom }): Type<NestInterceptor> {
  @Injectable()
  class SendsBrowserOn implements NestInterceptor {
    constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

    intercept(context: ExecutionContext, next: CallHandler<Result<Pair> | undefined>) {
      const navigates = isNavigation(context.switchToHttp().getRequest<Request>());
      const concerns = (whom: Whom) => whom === 'anyone' || navigates;
      return next.handle().pipe(
        catchError((thrown: unknown) => {
          const refusal = exceptionToFailure(thrown);
          // for the filter, which also logs it
          if (refusal.kind === 'internal' || refusal.kind === 'unavailable') throw thrown;
          return of(err(refusal));
        }),
        map((outcome) => (outcome && concerns(outcome.ok ? success : failure) ? this.redirect(outcome) : outcome)),
      );
    }

    private redirect(outcome: Result<Pair>): Redirect {
      if (!outcome.ok) return Redirect.withFragment(this.settings.frontendUrl, { error: outcome.failure.code });
      const { accessToken, refreshToken, expiresIn } = outcome.value;
      return Redirect.withFragment(this.settings.frontendUrl, {
        accessToken,
        ...(refreshToken && { refreshToken }),
        expiresIn: String(expiresIn),
      });
    }
  }
  return SendsBrowserOn;
}
