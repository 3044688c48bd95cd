import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import type Stripe from 'stripe';
import { SETTINGS, type Settings } from '../../config/settings';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { err, ok, type Result } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { isFields } from './stripe-fields';
import { stripeLibrary } from './stripe-library';
import { isExpected, type Operation } from './stripe-response-check';

/** Change it only with an upgrade of the package: the shape of Stripe's objects depends on it. */
const API_VERSION = '2026-10-28.endive';
/** Per attempt. Short, because a user may be waiting; jobs are retried. */
const TIMEOUT_MS = 8000;
/**
 * After connection errors, timeouts, 409 and 5xx. All attempts of a call share one idempotency key.
 */
const RETRIES = 2;
/** Seconds to wait if Stripe throttles without a Retry-After header. */
const THROTTLED_SECONDS = 2;

/** The response of Stripe, or BILLING_UNAVAILABLE. */
export type StripeResult<T = void> = Result<T, 'BILLING_UNAVAILABLE'>;

/** Stripe's client library with the service's settings. Every error becomes BILLING_UNAVAILABLE. */
@Injectable()
export class StripeClient implements OnApplicationShutdown {
  private readonly stripe?: Stripe;
  private readonly agent?: HttpAgent | HttpsAgent;
  private readonly calls: Counter<'operation' | 'outcome'>;

  constructor(
    @Inject(SETTINGS) settings: Pick<Settings, 'processor'>,
    metrics: Metrics,
    private readonly log: Log,
  ) {
    this.calls = new Counter({
      name: 'processor_calls_total',
      help: 'Calls to Stripe, by outcome: done, refused (an error in our request), throttled, failed',
      labelNames: ['operation', 'outcome'],
      registers: [metrics],
    });
    const { secretKey, apiUrl } = settings.processor;
    if (!secretKey) return;
    this.agent =
      apiUrl?.protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true });
    const library = stripeLibrary();
    this.stripe = new library(secretKey, {
      apiVersion: API_VERSION,
      telemetry: false,
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      httpClient: rejectingNonObjects(library.createNodeHttpClient(this.agent)),
      ...(apiUrl ? addressOf(apiUrl) : {}),
    });
  }

  get isSetUp(): boolean {
    return this.stripe !== undefined;
  }

  /**
   * Calls Stripe.
   * @param operation the name for metrics, which also selects the check of the response
   * @param ask       makes the call; may return null for an unknown object
   * @returns the response; BILLING_UNAVAILABLE, with `retryAfter` if Stripe throttles
   */
  async call<T>(operation: Operation, ask: (stripe: Stripe) => Promise<T>): Promise<StripeResult<T>> {
    if (!this.stripe) return err(BillingFailures.unavailable);
    try {
      const response = await ask(this.stripe);
      if (response !== null && !isExpected(operation, response)) return err(this.unexpected(operation));
      this.calls.inc({ operation, outcome: 'done' });
      return ok(response);
    } catch (error) {
      return err(
        error instanceof stripeLibrary().errors.StripeError
          ? this.unavailable(operation, error)
          : this.unexpected(operation, error),
      );
    }
  }

  onApplicationShutdown(): void {
    this.agent?.destroy();
  }

  /** The response is not what the operation returns, for example JSON of a proxy. */
  private unexpected(operation: Operation, error?: unknown) {
    this.calls.inc({ operation, outcome: 'failed' });
    this.log.error(
      { event: 'stripe.response_unexpected', operation, err: error },
      'Stripe returned an unexpected response',
    );
    return BillingFailures.unavailable;
  }

  /** Stripe's message may contain email addresses and parameters, so it is only logged. */
  private unavailable(operation: Operation, error: Stripe.errors.StripeError) {
    const { type, code, statusCode, requestId, message } = error;
    const isThrottled = error instanceof stripeLibrary().errors.StripeRateLimitError;
    const isOurs = !isThrottled && statusCode !== undefined && statusCode < 500;
    this.calls.inc({ operation, outcome: isThrottled ? 'throttled' : isOurs ? 'refused' : 'failed' });
    this.log[isOurs ? 'error' : 'warn'](
      {
        event: 'stripe.request_failed',
        operation,
        type,
        code,
        statusCode,
        processorRequestId: requestId,
        reason: message,
      },
      'A request to Stripe failed',
    );
    const retryAfter = isThrottled ? secondsIn(error.headers?.['retry-after']) : undefined;
    return { ...BillingFailures.unavailable, ...(retryAfter ? { retryAfter } : {}) };
  }
}

const secondsIn = (header: unknown): number => Math.max(1, Math.ceil(Number(header) || THROTTLED_SECONDS));

function addressOf({ protocol, hostname, port }: URL) {
  const isHttps = protocol === 'https:';
  return {
    protocol: isHttps ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (isHttps ? 443 : 80),
  };
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Rejects JSON that is not an object. The package (23.1) would throw outside of its promise, which
 * ends the process.
 */
function rejectingNonObjects(client: HttpClient): HttpClient {
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await send(...request);
    const read = response.toJSON.bind(response);
    response.toJSON = async () => {
      const json: unknown = await read();
      if (!isFields(json)) throw new Error('The response is not an object.');
      return json;
    };
    return response;
  };
  return client;
}
