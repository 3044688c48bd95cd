import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import Stripe from 'stripe';
import { SETTINGS, type Settings } from '../../config/settings';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { err, ok, type Result } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { isFields } from './json-fields';
import { isExpected, type Operation } from './stripe-response-check';

/**
 * A deliberate edit with every upgrade of the package: what the processor sends changes with it.
 */
const API_VERSION = '2026-10-28.endive';
/** Per attempt. A person waits for the answer, and jobs have time to try again. */
const TIMEOUT_MS = 8000;
/**
 * After lost connections, timeouts, 409 and 5xx; the package gives all attempts of a call one
 * idempotency key.
 */
const RETRIES = 2;
/** Seconds to wait when the processor says "slow down" and not for how long. */
const THROTTLED_SECONDS = 2;

/**
 * The processor's client library, set up once; whatever goes wrong over there becomes
 * BILLING_UNAVAILABLE.
 */
@Injectable()
export class StripeClient implements OnApplicationShutdown {
  private readonly stripe?: Stripe;
  private readonly agent?: HttpAgent | HttpsAgent;
  private readonly calls: Counter<'operation' | 'outcome'>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    metrics: Metrics,
    private readonly log: Log,
  ) {
    this.calls = new Counter({
      name: 'processor_calls_total',
      help: 'Calls to the payment processor, by outcome: done, refused (our mistake), throttled, failed',
      labelNames: ['operation', 'outcome'],
      registers: [metrics],
    });
    const { secretKey, apiUrl } = settings.processor;
    if (!secretKey) return;
    this.agent =
      apiUrl?.protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true });
    this.stripe = new Stripe(secretKey, {
      apiVersion: API_VERSION,
      telemetry: false,
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      httpClient: refusingOtherThanObjects(Stripe.createNodeHttpClient(this.agent)),
      ...(apiUrl ? placeOf(apiUrl) : {}),
    });
  }

  get isSetUp(): boolean {
    return this.stripe !== undefined;
  }

  /**
   * Asks the processor something.
   * @param operation what, for the metrics, and for what its answer must be
   * @param ask       may give null for what the processor does not know
   * @returns BILLING_UNAVAILABLE, with a time to wait where the processor throttles
   */
  async call<T>(operation: Operation, ask: (stripe: Stripe) => Promise<T>): Promise<Result<T>> {
    if (!this.stripe) return err(BillingFailures.unavailable);
    try {
      const answer = await ask(this.stripe);
      if (answer !== null && !isExpected(operation, answer)) return err(this.nonsense(operation));
      this.calls.inc({ operation, outcome: 'done' });
      return ok(answer);
    } catch (error) {
      return err(
        error instanceof Stripe.errors.StripeError
          ? this.unavailable(operation, error)
          : this.nonsense(operation, error),
      );
    }
  }

  onApplicationShutdown(): void {
    this.agent?.destroy();
  }

  /** What was answered is JSON, but not what was asked for. */
  private nonsense(operation: Operation, error?: unknown) {
    this.calls.inc({ operation, outcome: 'failed' });
    this.log.error({ operation, err: error }, 'the processor answered something else than what it was asked for');
    return BillingFailures.unavailable;
  }

  /** The message is the processor's and may name addresses and parameters: it is for the log. */
  private unavailable(operation: Operation, error: Stripe.errors.StripeError) {
    const { type, code, statusCode, requestId, message } = error;
    const isThrottled = error instanceof Stripe.errors.StripeRateLimitError;
    const isOurs = !isThrottled && statusCode !== undefined && statusCode < 500;
    this.calls.inc({ operation, outcome: isThrottled ? 'throttled' : isOurs ? 'refused' : 'failed' });
    this.log[isOurs ? 'error' : 'warn'](
      { operation, type, code, statusCode, processorRequestId: requestId, reason: message },
      'the processor did not do it',
    );
    const retryAfter = isThrottled ? secondsIn(error.headers?.['retry-after']) : undefined;
    return { ...BillingFailures.unavailable, ...(retryAfter ? { retryAfter } : {}) };
  }
}

const secondsIn = (header: unknown): number => Math.max(1, Math.ceil(Number(header) || THROTTLED_SECONDS));

function placeOf({ protocol, hostname, port }: URL) {
  const isHttps = protocol === 'https:';
  return {
    protocol: isHttps ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (isHttps ? 443 : 80),
  };
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * JSON that is no object makes the package (23.1) throw where nobody catches it, which would end
 * the process: to it, it is no JSON.
 */
function refusingOtherThanObjects(client: HttpClient): HttpClient {
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await send(...request);
    const read = response.toJSON.bind(response);
    response.toJSON = async () => {
      const json: unknown = await read();
      if (!isFields(json)) throw new Error('The answer is no object.');
      return json;
    };
    return response;
  };
  return client;
}
