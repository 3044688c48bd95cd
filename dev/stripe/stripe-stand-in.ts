import { createServer, type Server } from 'node:http';
import express, { type Router } from 'express';
import { refuseForeignHosts } from '../loopback-host';
import type Stripe from 'stripe';
import { SubscriptionActions } from './subscription-actions';
import type { ResponseValidator } from './response-validator';
import { Api, type ApiRequest } from './api';
import { Invoicing } from './invoicing';
import { noChaos, type DeliveryChaos } from './delivery-faults';
import { Checkout } from './checkout';
import { WebhookDeliveries } from './webhook-deliveries';
import { StateFile } from './state-file';
import { EventLog } from './event-log';
import { SubscriptionLifecycle } from './subscription-lifecycle';
import type { ApiFault } from './api-faults';
import type { DelayedResponse } from './delayed-response';
import { standInPages } from './pages';
import { CustomerActions } from './customer-actions';
import { seedSubscriptions, type SeededSubscription } from './seed-subscriptions';
import { postWebhook, type WebhookOptions } from './webhook-request';
import { eventObject } from './api-objects';
import { customerObject } from './customer-objects';
import { sessionObject } from './session-objects';
import { subscriptionObject } from './billing-objects';
import { Schedules } from './subscription-schedules';
import { State } from './state';

export type { DeliveryChaos } from './delivery-faults';
export type { ApiFault } from './api-faults';
export type { SeededSubscription } from './seed-subscriptions';

/** The options of a stand-in. */
export interface StripeStandInOptions {
  /**
   * The real time, which tests replace. The clock of the stand-in is this time plus what `advance`
   * added.
   */
  readonly wallClock?: () => Date;
  /** Seed of the random generator, for ids and chaos. */
  readonly seed?: number;
  /** The file that keeps the state over restarts. Without it the state is in memory only. */
  readonly file?: string;
  /**
   * Validates every response and event, and records violations. Requests are always validated.
   */
  readonly validateResponses?: boolean;
  /** The rate of automatic tax. Default: 20 */
  readonly taxPercent?: number;
}

const SECRET_KEY = 'sk_test_local_stand_in';
/** The secret that signs deliveries. */
export const WEBHOOK_SECRET = 'whsec_local_stand_in';

/**
 * A local replacement for Stripe in local mode and tests. Stripe's own library calls its API,
 * customers pay on its pages, and it delivers signed events, with faults if asked to. Its clock can
 * be moved, so that a month passes at once.
 */
export class StripeStandIn {
  /** Invalid responses and events, and forged deliveries that the service accepted. */
  readonly violations: string[] = [];
  readonly chaos: DeliveryChaos = noChaos();
  /** The actions of a customer on the pages. */
  readonly customerActions: CustomerActions;
  private readonly state: State;
  private readonly deliveries: WebhookDeliveries;
  private readonly lifecycle: SubscriptionLifecycle;
  private readonly api: Api;
  private readonly pages: Router;
  private readonly store: StateFile;
  private readonly validatesResponses: boolean;
  private check?: ResponseValidator;
  private server?: Server;
  private ticking?: NodeJS.Timeout;
  private port = 0;

  constructor({
    wallClock = () => new Date(),
    seed,
    file,
    validateResponses = false,
    taxPercent = 20,
  }: StripeStandInOptions = {}) {
    const state = new State(wallClock, seed);
    state.taxPercent = taxPercent;
    const eventLog = new EventLog(state);
    const invoicing = new Invoicing(state, eventLog);
    this.state = state;
    this.validatesResponses = validateResponses;
    this.lifecycle = new SubscriptionLifecycle(state, eventLog, invoicing);
    this.store = new StateFile(state, this.lifecycle, file);
    const onChange = () => this.store.changed();
    this.deliveries = new WebhookDeliveries(
      state,
      this.chaos,
      WEBHOOK_SECRET,
      ({ id, type }, status) =>
        this.violations.push(`The service answered ${status} to ${type} ${id} with a wrong signature.`),
      onChange,
    );
    eventLog.onEvent = (event) => {
      this.check?.event(eventObject(event));
      this.deliveries.add(event);
      onChange();
    };
    const checkout = new Checkout(state, eventLog, invoicing, this.lifecycle);
    const actions = new SubscriptionActions(state, eventLog, invoicing, this.lifecycle);
    this.customerActions = new CustomerActions(state, this.lifecycle, checkout, actions);
    const schedules = new Schedules(state, eventLog, this.lifecycle);
    this.api = new Api({ state, actions, lifecycle: this.lifecycle, schedules }, SECRET_KEY, onChange);
    this.pages = standInPages({
      processor: this,
      state,
      checkout,
      actions,
      lifecycle: this.lifecycle,
      deliveries: this.deliveries,
    });
    this.store.load();
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The settings with which the service uses the stand-in. */
  get settings() {
    return {
      PROCESSOR_SECRET_KEY: SECRET_KEY,
      PROCESSOR_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PROCESSOR_PRO_PRICE_ID: 'price_pro_monthly',
      PROCESSOR_BUSINESS_PRICE_ID: 'price_business_monthly',
      PROCESSOR_API_URL: this.url,
    };
  }

  /** Number of API requests by route, such as `POST /v1/customers/{id}`. */
  get calls(): Map<string, number> {
    return this.api.calls;
  }

  /** The last 200 API requests, oldest first. */
  get requests(): readonly ApiRequest[] {
    return this.api.requests;
  }

  /**
   * Whether canceling on the portal sets `cancel_at_period_end` (classic billing) instead of
   * `cancel_at`.
   */
  get classicBilling(): boolean {
    return this.state.isBillingClassic;
  }

  set classicBilling(isClassic: boolean) {
    this.state.isBillingClassic = isClassic;
  }

  /** Refuses to expand paths with this part, as another version of the API may. */
  refuseToExpand(part: string | undefined): void {
    this.state.unexpandable = part;
  }

  /** @param port 0 for any free port. Default: the port it had before `stop` */
  async start(port = this.port): Promise<void> {
    if (this.validatesResponses)
      this.check = this.api.check = new (await import('./response-validator')).ResponseValidator(this.violations);
    const app = express().disable('x-powered-by').disable('etag').use(refuseForeignHosts);
    app.use(this.api.router(), this.pages);
    const server = createServer(app);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.state.url = this.url;
    this.server = server;
    this.ticking = setInterval(() => this.lifecycle.runDue(), 1000).unref(); // what becomes due between requests
    this.deliveries.start();
  }

  /**
   * Simulates an outage: no responses and no deliveries until the next start. The state is kept.
   */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    clearInterval(this.ticking);
    this.deliveries.stop();
    this.store.save();
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections(); // a request that hangs would hold its connection open for good
    await closed;
  }

  /** Sets the webhook address of the service. Without one, events wait. */
  deliverTo(url: string | undefined): void {
    this.deliveries.deliverTo(url);
  }

  /**
   * Makes the next requests fail.
   * @param only part of a route (`POST /v1/customers/{id}`), to fail only its requests
   */
  injectFault(kind: ApiFault, count: number, only?: string): void {
    this.api.faults.inject(kind, count, only);
  }

  /** Makes the API answer that there is no such object, as after test data was deleted. */
  forget(id: string): void {
    const { customers, subscriptions, schedules, sessions, promotionCodes, prices } = this.state;
    const scheduled = subscriptions.all().find(({ schedule }) => schedule === id);
    if (scheduled) scheduled.schedule = null;
    for (const table of [customers, subscriptions, schedules, sessions, promotionCodes, prices]) table.forget(id);
  }

  /** Delays the next response of a route, after its work is done, until it is released. */
  delayResponse(route: string): DelayedResponse {
    return this.api.faults.delay(route);
  }

  /** The time of the stand-in. */
  now(): Date {
    return this.state.now();
  }

  /**
   * Moves the clock forward and runs what becomes due, in order of time. Deliveries continue in the
   * background.
   */
  advance(seconds: number): Promise<void> {
    this.lifecycle.runDue();
    this.state.aheadMs += seconds * 1000;
    this.lifecycle.runDue();
    this.store.changed();
    return Promise.resolve();
  }

  /** Resolves when nothing is left to deliver. Delayed deliveries are sent at once. */
  drain(): Promise<void> {
    return this.deliveries.drain();
  }

  /** Delivers an event again. @returns the status of the response, 0 without one */
  async redeliver(eventId: string): Promise<number> {
    const event = this.state.events.get(eventId);
    if (!event) throw new Error(`There is no event ${eventId}.`);
    if (this.deliveries.address === undefined) throw new Error('No webhook address is set (deliverTo).');
    return this.deliveries.redeliver(event);
  }

  /** Signs and posts any payload, for tests of invalid deliveries. */
  post(payload: object | string, how: WebhookOptions = {}): Promise<{ status: number; body: unknown }> {
    const url = how.url ?? this.deliveries.address;
    if (url === undefined) throw new Error('No webhook address is set (deliverTo).');
    const { secret = WEBHOOK_SECRET, header = 'Stripe-Signature', timestamp = this.state.wallSeconds() } = how;
    return postWebhook(typeof payload === 'string' ? payload : JSON.stringify(payload), {
      url,
      secret,
      header,
      timestamp,
    });
  }

  /** Creates an active subscription for each tenant, without events or invoices. */
  seedSubscriptions(
    tenantIds: readonly string[],
    overrides?: (index: number) => Partial<SeededSubscription>,
  ): { customerId: string; subscriptionId: string }[] {
    return seedSubscriptions(this.state, this.lifecycle, tenantIds, overrides);
  }

  /**
   * All customers as the API returns them, oldest first. In API objects, `*_decimal` amounts are
   * text.
   */
  customers(): Stripe.Customer[] {
    return this.state.customers.all().map((row) => customerObject(row) as unknown as Stripe.Customer);
  }

  subscriptions(): Stripe.Subscription[] {
    return this.state.subscriptions
      .all()
      .map((row) => subscriptionObject(this.state, row) as unknown as Stripe.Subscription);
  }

  subscription(id: string): Stripe.Subscription | undefined {
    const row = this.state.subscriptions.get(id);
    return row && (subscriptionObject(this.state, row) as unknown as Stripe.Subscription);
  }

  openSessions(customerId?: string): Stripe.Checkout.Session[] {
    const open = this.state.sessions
      .all()
      .filter(({ status, customer }) => status === 'open' && (customerId === undefined || customer === customerId));
    return open.map((row) => sessionObject(this.state, row) as unknown as Stripe.Checkout.Session);
  }

  events(): Stripe.Event[] {
    return this.state.events.all().map((row) => eventObject(row) as unknown as Stripe.Event);
  }
}
