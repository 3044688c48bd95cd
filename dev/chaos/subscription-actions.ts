import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { oneOf, type Action, type Situation } from './random-action';
import type { ApiClient } from './api-client';
import { FailedRequest } from './api-client';
import { PROMOTION_CODES } from './chaos-coupons';
import type { ChangeLedger } from './change-ledger';

const PLANS = ['Pro', 'Business'];
const INTERVALS = ['month', 'year'];
const CURRENCIES = ['usd', 'eur'];

/** What Owners do with their subscription in the application. */
export class SubscriptionActions {
  constructor(
    private readonly api: ApiClient,
    private readonly processor: StripeStandIn,
    private readonly ledger: ChangeLedger,
  ) {}

  /** The actions that are possible without a subscription, or with a live one. */
  of(situation: Situation): Action[] {
    const { tenant, live } = situation;
    const post = (path: string, body?: object) => this.api.request(tenant.token, 'POST', path, body);
    const sync: Action = [2, () => post('/billing/sync')];
    if (!live) return [sync, [9, () => this.subscribe(situation)], [1, () => this.subscribeTwice(situation)]];
    return [
      sync,
      [1, () => post('/billing/checkout', { planName: 'Pro' })],
      [3, () => this.change(situation, 'now')],
      [1, () => this.changeTwice(situation)],
      [4, () => this.change(situation, 'period-end')],
      [1, () => post('/billing/change', { ...this.choose(situation), when: 'now', preview: true })],
      [1, () => this.cancel(situation)],
      [2, () => post('/billing/resume')],
    ];
  }

  private choose({ random }: Situation) {
    return { planName: oneOf(random, PLANS), interval: oneOf(random, INTERVALS) };
  }

  private async subscribe(situation: Situation): Promise<void> {
    const { tenant, random } = situation;
    const { customerActions } = this.processor;
    const terms = {
      ...this.choose(situation),
      ...(random.happens(0.5) && { currency: oneOf(random, CURRENCIES) }),
      ...(random.happens(0.3) && { promotionCode: oneOf(random, PROMOTION_CODES) }),
    };
    const outcome = random.next();
    const { checkoutUrl } = (await this.api.request(tenant.token, 'POST', '/billing/checkout', terms)) as {
      checkoutUrl: string;
    };
    if (outcome < 0.1) await customerActions.payWithDeclinedCard(checkoutUrl);
    else if (outcome < 0.2) await customerActions.abandon(checkoutUrl);
    else await customerActions.pay(checkoutUrl);
  }

  /** Two users of the tenant at once, for different plans. */
  private async subscribeTwice({ tenant }: Situation): Promise<void> {
    const checkout = (planName: string) => this.api.request(tenant.token, 'POST', '/billing/checkout', { planName });
    await Promise.all(PLANS.map(checkout));
  }

  private async change(situation: Situation, when: 'now' | 'period-end'): Promise<void> {
    const { tenant } = situation;
    const body = { ...this.choose(situation), when };
    const kind = when === 'now' ? 'change' : 'phases';
    await this.noted(tenant.id, kind, () => this.api.request(tenant.token, 'POST', '/billing/change', body));
  }

  /** The same change twice at once: the second finds the plan that it asks for. */
  private async changeTwice(situation: Situation): Promise<void> {
    const { tenant } = situation;
    const body = { ...this.choose(situation), when: 'now' };
    const change = () => this.api.request(tenant.token, 'POST', '/billing/change', body);
    await this.noted(tenant.id, 'change', () => Promise.all([change(), change()]));
  }

  private async cancel({ tenant, random }: Situation): Promise<void> {
    const path = random.happens(0.5) ? '/billing/cancel' : '/billing/change';
    const body = path === '/billing/change' ? { planName: 'Free', when: 'period-end' } : {};
    await this.noted(tenant.id, 'cancel', () => this.api.request(tenant.token, 'POST', path, body));
  }

  /** Tells the ledger of a request, and whether its effect is unknown. */
  private async noted(tenantId: string, kind: 'change' | 'phases' | 'cancel', send: () => Promise<unknown>) {
    this.ledger.requested(tenantId, kind);
    try {
      await send();
    } catch (error) {
      if (!(error instanceof FailedRequest) || error.code === undefined || error.code === 'BILLING_UNAVAILABLE')
        this.ledger.interrupted(tenantId);
      throw error;
    }
  }
}
