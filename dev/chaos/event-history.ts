import type Stripe from 'stripe';

/** What the objects of events about a customer have in common. */
interface EventObject {
  readonly id: string;
  readonly customer?: string | null;
  readonly status?: string | null;
  readonly latest_invoice?: string | null;
}

/** Keeps a sentence about each event of the stand-in, to explain a failure. */
export class EventHistory {
  private readonly linesOf = new Map<string, string[]>();

  /** The events of a customer, oldest first. */
  of(customerId: string): readonly string[] {
    return this.linesOf.get(customerId) ?? [];
  }

  /** Describes a new event. */
  read(event: Stripe.Event): void {
    const object = event.data.object as EventObject;
    if (typeof object.customer !== 'string') return;
    const lines = this.linesOf.get(object.customer);
    if (lines) lines.push(sentenceOf(event, object));
    else this.linesOf.set(object.customer, [sentenceOf(event, object)]);
  }
}

function sentenceOf({ id, type, created, data }: Stripe.Event, object: EventObject): string {
  const before = (data.previous_attributes ?? {}) as Record<string, unknown>;
  const previous = typeof before.status === 'string' ? ` (was ${before.status})` : '';
  const changed = Object.keys(before).filter((field) => field !== 'status');
  return [
    `${new Date(created * 1000).toISOString()} ${id} ${type}: ${object.id} is ${object.status}${previous}`,
    object.latest_invoice && `newest invoice ${object.latest_invoice}`,
    changed.length > 0 && `changed ${changed.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');
}
