import type Stripe from 'stripe';
import type { StripeStandIn } from '../stripe/stripe-stand-in';

/** What counts events. */
interface EventLedger {
  read(event: Stripe.Event): void;
}

/** Hands each event of the stand-in to the ledgers once, also those that were never delivered. */
export class EventReader {
  private readonly seen = new Set<string>();

  constructor(
    private readonly processor: StripeStandIn,
    private readonly ledgers: readonly EventLedger[],
  ) {}

  /** The number of events. */
  get events(): number {
    return this.seen.size;
  }

  /** Reads new events. The stand-in keeps events for 30 days of its clock only. */
  read(): void {
    for (const event of this.processor.events()) {
      if (this.seen.has(event.id)) continue;
      this.seen.add(event.id);
      for (const ledger of this.ledgers) ledger.read(event);
    }
  }
}
