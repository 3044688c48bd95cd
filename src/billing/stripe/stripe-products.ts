import { Injectable } from '@nestjs/common';
import { ok } from '../../platform/result';
import type { PaidPlan } from '../entitlements/domain/plan';
import { nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';

/** Stripe's products, one per plan. Every call may return BILLING_UNAVAILABLE. */
@Injectable()
export class StripeProducts {
  constructor(private readonly stripeClient: StripeClient) {}

  /** Null: Stripe does not know it. */
  async get(id: string): Promise<StripeResult<{ readonly id: string; readonly isActive: boolean } | null>> {
    const found = await this.stripeClient.call('products.retrieve', (stripe) =>
      stripe.products.retrieve(id).catch(nullIfMissing()),
    );
    if (!found.ok) return found;
    return ok(found.value && { id: found.value.id, isActive: found.value.active });
  }

  /**
   * Creates the product of a plan. Its id is fixed, so that there cannot be two; an idempotency key
   * would repeat the response for a product that was deleted meanwhile.
   */
  async create(id: string, plan: PaidPlan, description: string): Promise<StripeResult> {
    const created = await this.stripeClient.call('products.create', (stripe) =>
      stripe.products.create({ id, name: plan, description, metadata: { plan } }),
    );
    return created.ok ? ok() : created;
  }

  /** Makes an archived product available again. */
  async activate(id: string): Promise<StripeResult> {
    const updated = await this.stripeClient.call('products.update', (stripe) =>
      stripe.products.update(id, { active: true }),
    );
    return updated.ok ? ok() : updated;
  }
}
