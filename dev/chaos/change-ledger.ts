import type Stripe from 'stripe';

/** A kind of change that is requested from the service. */
export type ChangeKind = 'change' | 'phases' | 'cancel';

/**
 * The calls of the service that change a subscription, by the end of their idempotency keys: what
 * was requested, and the event that they lead to.
 */
const CALLS: Readonly<Record<string, readonly [ChangeKind, string]>> = {
  change: ['change', 'customer.subscription.updated'],
  phases: ['phases', 'subscription_schedule.updated'],
  replace: ['phases', 'subscription_schedule.updated'],
  cancel: ['cancel', 'customer.subscription.updated'],
  end: ['cancel', 'customer.subscription.deleted'],
};

const KEY = /^([0-9a-f-]{36})-[0-9a-f-]{36}-([a-z]+)$/;

/** Compares the changes that were requested from the service with those that it made at Stripe. */
export class ChangeLedger {
  private readonly requests = new Map<string, number>();
  /** How many events each idempotency key has led to. */
  private readonly made = new Map<string, number>();
  private readonly cut = new Set<string>();

  /** A change is requested once, even if two requests for it are sent at the same time. */
  requested(tenantId: string, kind: ChangeKind): void {
    const key = `${tenantId} ${kind}`;
    this.requests.set(key, (this.requests.get(key) ?? 0) + 1);
  }

  /** The service did not say whether it made a change. */
  interrupted(tenantId: string): void {
    this.cut.add(tenantId);
  }

  /** Whether a change may have been made in part. */
  wasInterrupted(tenantId: string): boolean {
    return this.cut.has(tenantId);
  }

  /** Counts a new event. */
  read({ type, request }: Stripe.Event): void {
    const key = request?.idempotency_key;
    const call = key && CALLS[KEY.exec(key)?.[2] ?? ''];
    if (call && call[1] === type) this.made.set(key, (this.made.get(key) ?? 0) + 1);
  }

  /** The number of changes that were made. */
  get changes(): number {
    return this.made.size;
  }

  /** @returns a sentence for each change that was made too often */
  problems(): string[] {
    const repeated = [...this.made].flatMap(([key, times]) => (times > 1 ? `${key} was made ${times} times.` : []));
    const totals = new Map<string, number>();
    for (const key of this.made.keys()) {
      const [, tenantId, call] = KEY.exec(key)!;
      const [kind] = CALLS[call];
      totals.set(`${tenantId} ${kind}`, (totals.get(`${tenantId} ${kind}`) ?? 0) + 1);
    }
    const unrequested = [...totals].flatMap(([key, times]) => {
      const requested = this.requests.get(key) ?? 0;
      return times > requested ? `Tenant ${key}: made ${times} times for ${requested} requests.` : [];
    });
    return [...repeated, ...unrequested];
  }
}
