import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { catchError, map, of } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { failureOf } from '../../edge/failure-of';
import { isNavigation, Redirect } from '../../edge/redirect';
import { err, type Result } from '../../platform/result';
import type { TokenPair } from '../token-pair';

/** Where a link is opened by a person: the browser goes on to the web client, the outcome in the fragment. Programs get the envelope. */
@Injectable()
export class SendsBrowserOn implements NestInterceptor {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<Result<TokenPair> | undefined>) {
    if (!isNavigation(context.switchToHttp().getRequest<Request>())) return next.handle();
    return next.handle().pipe(
      catchError((thrown: unknown) => {
        const failure = failureOf(thrown);
        if (failure.kind === 'internal' || failure.kind === 'unavailable') throw thrown; // for the filter, which also logs it
        return of(err(failure));
      }),
      map((outcome) => outcome && this.redirect(outcome)),
    );
  }

  private redirect(outcome: Result<TokenPair>): Redirect {
    if (!outcome.ok) return Redirect.withFragment(this.settings.frontendUrl, { error: outcome.failure.code });
    const { accessToken, refreshToken, expiresIn } = outcome.value;
    return Redirect.withFragment(this.settings.frontendUrl, { accessToken, refreshToken, expiresIn: String(expiresIn) });
  }
}
