import {
  Catch,
  Inject,
  Injectable,
  StreamableFile,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map } from 'rxjs';
import { isLoginRefused } from '../../platform/database/database-errors';
import { Log } from '../../platform/observability/log';
import { LogInterval } from '../../platform/observability/log-interval';
import { Err, Ok } from '../../platform/result';
import { IdempotencyKeyInterceptor } from '../idempotency/idempotency-key.interceptor';
import { FailureException, HTTP_STATUS, successStatusOf } from './http-status';
import { exceptionToFailure } from './exception-to-failure';
import { needsNotFoundPage, sendNotFoundPage } from './not-found-page';
import { sendRedirect, Redirect } from './redirect';
import { RawResponse } from './raw-response.decorator';
import { RETRY_AFTER } from './retry-after';
import { WrittenResponse } from './written-response';

/** How a route declares its successful response. */
interface AnswerForm {
  readonly status: number;
  readonly isRaw: boolean;
}

/**
 * Wraps a success as `{success:true,data}`, with status 200 unless the route declares another. An
 * Err goes to the filter below. A write with an Idempotency-Key is executed once.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  private readonly forms = new Map<object, AnswerForm>();

  constructor(private readonly repeatedWrites: IdempotencyKeyInterceptor) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    const handler = context.getHandler();
    const response = context.switchToHttp().getResponse<Response>();
    return this.repeatedWrites.intercept(context, next).pipe(
      map((outcome) => {
        if (outcome instanceof Err) throw new FailureException((outcome as Err).failure);
        const value: unknown = outcome instanceof Ok ? outcome.value : outcome;
        if (value instanceof Redirect) return sendRedirect(response, value);
        if (response.statusCode === 204) return undefined;
        if (value instanceof StreamableFile) return value;
        const { status, isRaw } = this.formOf(handler);
        response.status(status);
        if (value instanceof WrittenResponse) return value.writeTo(response);
        return isRaw ? value : { success: true, data: value ?? null };
      }),
    );
  }

  /** Cached: reading metadata takes longer than wrapping. */
  private formOf(handler: object): AnswerForm {
    let form = this.forms.get(handler);
    if (!form) {
      this.forms.set(handler, (form = { status: successStatusOf(handler), isRaw: RawResponse.isOn(handler) }));
    }
    return form;
  }
}

/** Writes every error body of the service. Logs only unexpected errors. */
@Catch()
@Injectable()
export class EnvelopeFilter implements ExceptionFilter {
  private readonly refusedLogins = new LogInterval();

  constructor(@Inject(Log) private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const failure = exceptionToFailure(thrown);
    if (isLoginRefused(thrown)) this.logRefusedLogin(thrown);
    else if (failure.kind === 'internal') this.log.error({ event: 'request.failed', err: thrown }, 'Unexpected error');
    else if (failure.kind === 'unavailable')
      this.log.warn({ event: 'request.unavailable', err: thrown }, 'The request was answered with 503');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (failure.retryAfter !== undefined) response.setHeader(RETRY_AFTER, failure.retryAfter);
    response.removeHeader('Content-Type'); // the route may have set another type and cache lifetime
    response.setHeader('Cache-Control', 'no-store');
    if (failure.kind === 'missing' && needsNotFoundPage(http.getRequest<Request>())) return sendNotFoundPage(response);
    const { code, message, details } = failure;
    response
      .status(HTTP_STATUS[failure.kind])
      .json({ success: false, error: { code, message, ...(details ? { details } : {}) } });
  }

  /** Once a minute: every request fails for the same reason. */
  private logRefusedLogin(thrown: unknown): void {
    if (!this.refusedLogins.isDue()) return;
    this.log.error({ event: 'database.login_refused', err: thrown }, 'PostgreSQL refuses the role or its password');
  }
}
