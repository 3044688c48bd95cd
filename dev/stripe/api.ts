import express, { Router, type Request, type Response } from 'express';
import { parse } from 'qs';
import type { ResponseValidator } from './response-validator';
import { IdempotencyKeys, type Answer } from './idempotency-keys';
import { expand } from './pagination';
import { ApiFaults } from './api-faults';
import { StripeError } from './stripe-error';
import { API_VERSION } from './api-objects';
import { validateRequest, type RawParams } from './request-validator';
import type { Context, Handler, Routes } from './routes';
import { billingRoutes } from './billing-routes';
import { catalogueRoutes } from './catalogue-routes';
import { invoiceRoutes } from './invoice-routes';
import { paymentMethodRoutes } from './payment-method-routes';
import { scheduleRoutes } from './schedule-routes';
import { couponRoutes } from './coupon-routes';
import { promotionCodeRoutes } from './promotion-code-routes';
import { priceRoutes } from './price-routes';
import { checkoutRoutes } from './checkout-routes';
import { NO_CAUSE } from './state';

const ROUTES: Routes = {
  ...catalogueRoutes,
  ...priceRoutes,
  ...paymentMethodRoutes,
  ...invoiceRoutes,
  ...scheduleRoutes,
  ...couponRoutes,
  ...promotionCodeRoutes,
  ...checkoutRoutes,
  ...billingRoutes,
};
const REQUESTS_KEPT = 200;

/** A request that the API received. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
  readonly apiVersion?: string;
  /** Whether the request had telemetry about earlier requests. */
  readonly telemetry: boolean;
}

interface Matched {
  readonly template: string;
  readonly handler: Handler;
  readonly id: string;
}

/**
 * The routes below /v1: checks the key, replays repeated requests, and calls the route's handler.
 */
export class Api {
  readonly calls = new Map<string, number>();
  readonly requests: ApiRequest[] = [];
  readonly faults = new ApiFaults();
  private readonly idempotency = new IdempotencyKeys();

  /** Validates responses. Without it they are not validated. */
  check?: ResponseValidator;

  constructor(
    private readonly context: Context,
    private readonly secretKey: string,
    private readonly onChange: () => void,
  ) {}

  router(): Router {
    const router = Router();
    router.use('/v1', express.text({ type: () => true, limit: '1mb' }), (request, response) =>
      this.answer(request, response),
    );
    return router;
  }

  private answer(request: Request, response: Response): void {
    const { state } = this.context;
    this.context.lifecycle.runDue();
    const requestId = state.random.id('req', 14);
    response.set({
      'Request-Id': requestId,
      'Stripe-Version': request.get('Stripe-Version') ?? API_VERSION,
    });
    const path = request.originalUrl.split('?')[0];
    const matched = matchRoute(request.method, path);
    const raw = `${request.originalUrl.split('?')[1] ?? ''}&${typeof request.body === 'string' ? request.body : ''}`;
    const params = parse(raw, { depth: 10, arrayLimit: 100, parameterLimit: 1000 });
    this.note(request, path, params, matched);
    const how = this.faults.next(matched?.template ?? '');
    if (how === 'disconnect') {
      request.socket.destroy();
      return;
    }
    if (how === 'rate-limit') response.set('Retry-After', '1');
    const key = request.method === 'POST' ? request.get('Idempotency-Key') : undefined;
    try {
      this.checkKey(request);
      if (!matched) throw new StripeError(`Unrecognized request URL (${request.method}: ${path}).`, { status: 404 });
      if (how === 'rate-limit')
        throw new StripeError('Too many requests hit the API too quickly.', {
          type: 'rate_limit_error',
          code: 'rate_limit',
          status: 429,
        });
      if (how === 'error') throw new StripeError('An unknown error occurred.', { type: 'api_error', status: 500 });
      const earlier = key === undefined ? undefined : this.idempotency.begin(key, path, raw, state.seconds());
      if (earlier) return this.send(response.set('Idempotent-Replayed', 'true'), earlier);
      if (how === 'hang') {
        response.on('close', () => key !== undefined && this.idempotency.release(key));
        return;
      }
      const answer = this.work(matched, params, key, requestId);
      if (how === 'disconnect-after') {
        request.socket.destroy();
        return;
      }
      const delayed = this.faults.nextDelayed(matched.template);
      if (!delayed) return this.send(response, answer);
      void delayed.wait().then(() => this.send(response, answer));
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      this.send(response, this.answerOf(error));
    }
  }

  private work(matched: Matched, params: RawParams, key: string | undefined, requestId: string): Answer {
    const { state } = this.context;
    const { template, handler, id } = matched;
    let answer: Answer;
    let isStored = true;
    try {
      const { expand: paths, ...checked } = this.checked(template, params, () => (isStored = false));
      state.cause = { id: requestId, idempotency_key: key ?? null };
      const object = handler(this.context, checked as never, id);
      expand(state, object, paths as string[] | undefined);
      this.check?.answer(template, object);
      answer = { status: 200, body: JSON.stringify(object) };
    } catch (error) {
      if (!(error instanceof StripeError)) {
        if (key !== undefined) this.idempotency.release(key);
        throw error;
      }
      answer = this.answerOf(error);
    } finally {
      state.cause = NO_CAUSE;
    }
    if (!template.startsWith('GET')) this.onChange();
    if (key !== undefined && isStored) this.idempotency.finish(key, answer);
    else if (key !== undefined) this.idempotency.release(key);
    return answer;
  }

  /** A request that fails validation is not stored under its idempotency key. */
  private checked(template: string, params: RawParams, onRefused: () => void): Record<string, unknown> {
    try {
      return validateRequest(template, params);
    } catch (error) {
      onRefused();
      throw error;
    }
  }

  private answerOf(refused: StripeError): Answer {
    this.check?.error(refused.body);
    return { status: refused.status, body: JSON.stringify(refused.body) };
  }

  private checkKey(request: Request): void {
    const [scheme, credentials = ''] = (request.get('Authorization') ?? '').split(' ');
    const key = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString().split(':')[0] : credentials;
    if (key === this.secretKey) return;
    const message = key
      ? `Invalid API Key provided: ${key.slice(0, 8)}***`
      : 'You did not provide an API key. You need to provide your API key in the Authorization header.';
    throw new StripeError(message, { status: 401 });
  }

  private send(response: Response, { status, body }: Answer): void {
    response.status(status).set('Date', this.context.state.now().toUTCString()).type('json').send(body);
  }

  private note(request: Request, path: string, params: Record<string, unknown>, matched: Matched | undefined): void {
    const template = matched?.template ?? `${request.method} ${path}`;
    this.calls.set(template, (this.calls.get(template) ?? 0) + 1);
    this.requests.push({
      method: request.method,
      path,
      params,
      idempotencyKey: request.get('Idempotency-Key'),
      apiVersion: request.get('Stripe-Version'),
      telemetry: request.get('X-Stripe-Client-Telemetry') !== undefined,
    });
    if (this.requests.length > REQUESTS_KEPT) this.requests.shift();
  }
}

function matchRoute(method: string, path: string): Matched | undefined {
  const exact = `${method} ${path}`;
  if (Object.hasOwn(ROUTES, exact)) return { template: exact, handler: ROUTES[exact], id: '' };
  for (const [template, handler] of Object.entries(ROUTES)) {
    const [before, after] = template.split('{id}');
    if (after === undefined || !exact.startsWith(before) || !exact.endsWith(after)) continue;
    const id = exact.slice(before.length, exact.length - after.length);
    if (id !== '' && !id.includes('/')) return { template, handler, id: decodeURIComponent(id) };
  }
  return undefined;
}
