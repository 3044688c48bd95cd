import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { addSeconds, Clock, MINUTE } from '../../../platform/clock';
import { ok } from '../../../platform/result';
import type { PaidPlan } from '../../entitlements/domain/plan';
import type { StripeResult } from '../../stripe/stripe-client';
import type { BillingInterval } from '../domain/plan-catalogue';
import type { PlanPrice } from '../domain/plan-price';
import { CatalogueReader } from './catalogue-reader';

/** Seconds for which a reading is used. */
const TTL_SECONDS = 5 * MINUTE;
/** Seconds after a failed reading in which no other is started. */
const RETRY_SECONDS = 30;
/** Milliseconds that a caller waits for a reading; then it gets what was known before. */
const PATIENCE_MS = 1500;

/**
 * The prices of the plans at Stripe, read at most every 5 minutes by one call at a time. While
 * Stripe cannot be reached they are those of the last reading, or those of the catalogue.
 */
@Injectable()
export class CataloguePrices {
  private prices?: readonly PlanPrice[];
  private nextReading = new Date(0);
  private running?: Promise<StripeResult<readonly PlanPrice[]>>;

  constructor(
    private readonly reader: CatalogueReader,
    private readonly clock: Clock,
  ) {}

  /** Whether Stripe was read since the start. */
  get isRead(): boolean {
    return this.prices !== undefined;
  }

  /** What is known now; the same object until something new is known. */
  get known(): readonly PlanPrice[] {
    return this.prices ?? this.reader.unread;
  }

  /** Whether what is known is to be read again. */
  get isStale(): boolean {
    return this.clock.now() >= this.nextReading;
  }

  /**
   * The prices. Those of the last reading are returned while they are read again; before the first
   * reading it waits for Stripe for a moment.
   */
  async list(): Promise<readonly PlanPrice[]> {
    if (!this.isStale) return this.known;
    const reading = this.read();
    if (!this.prices) await Promise.race([reading, pause(PATIENCE_MS, undefined, { ref: false })]);
    return this.known;
  }

  /** The price of a plan; undefined: it is not for sale. BILLING_UNAVAILABLE. */
  async find(plan: PaidPlan, interval: BillingInterval): Promise<StripeResult<PlanPrice | undefined>> {
    const read = this.isStale || !this.prices ? await this.read() : ok(this.prices);
    if (!read.ok && !this.prices) return read;
    return ok(this.known.find((price) => price.plan === plan && price.interval === interval));
  }

  /** One reading at a time: callers that come meanwhile wait for the same. */
  private read(): Promise<StripeResult<readonly PlanPrice[]>> {
    this.running ??= this.reader
      .read()
      .then((read) => {
        if (read.ok) this.prices = read.value;
        this.nextReading = addSeconds(this.clock.now(), read.ok ? TTL_SECONDS : RETRY_SECONDS);
        return read;
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }
}
