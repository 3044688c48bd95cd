import type Stripe from 'stripe';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { SeededRandom } from '../stripe/seeded-random';
import type { Action, Situation } from './random-action';
import { groupBy } from './group-by';
import type { SeatedTenant } from './member-seed';

/** What offers actions. */
export interface ActionSource {
  of(situation: Situation): Action[];
}

/**
 * Random actions of Owners and members in the application and on the pages of Stripe, one at a time
 * per tenant.
 */
export class TenantActions {
  actions = 0;
  /**
   * Actions that failed because the service or Stripe was unavailable or rejected them, by reason.
   */
  readonly failures: Record<string, number> = {};

  private byTenant = new Map<string, Stripe.Subscription[]>();

  constructor(
    private readonly processor: StripeStandIn,
    private readonly sources: readonly ActionSource[],
    private readonly seed: number,
  ) {}

  /** Reads all subscriptions once, before many actions. */
  readSubscriptions(): void {
    this.byTenant = groupBy(this.processor.subscriptions(), ({ metadata }) => metadata.tenantId);
  }

  /**
   * Runs a random action that the state of the tenant's subscription allows.
   * @param index the tenant's position, which decides together with round and seed
   */
  async act(tenant: SeatedTenant, index: number, round: number): Promise<void> {
    const random = new SeededRandom(Math.imul(this.seed + round * 7919, 2_654_435_761) + index * 104_729);
    const live = this.byTenant.get(tenant.id)?.find(({ status }) => status !== 'canceled');
    const actions = this.sources.flatMap((source) => source.of({ tenant, live, random }));
    let rest = random.next() * actions.reduce((sum, [weight]) => sum + weight, 0);
    const [, run] = actions.find(([weight]) => (rest -= weight) < 0) ?? actions[0];
    this.actions++;
    await run().catch((error: Error) => this.failed(error.message));
  }

  /** Actions that failed. */
  get interrupted(): number {
    return Object.values(this.failures).reduce((sum, count) => sum + count, 0);
  }

  /** Ids in messages of Stripe are left out. */
  private failed(message: string): void {
    const reason = message.replace(/`?\b[a-z_]+_\w{14,}`?/g, '…');
    this.failures[reason] = (this.failures[reason] ?? 0) + 1;
  }
}
