import { Injectable } from '@nestjs/common';
import { ok } from '../../platform/result';
import { nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';
import { stripeLibrary } from './stripe-library';

/** What this service sets of a customer. */
export interface CustomerDetails {
  /** Undefined: it stays, or there is none. */
  readonly name?: string;
  readonly email: string;
}

/**
 * Stripe's customers, one per tenant (docs/specification.md, Billing). Every call may return
 * BILLING_UNAVAILABLE.
 */
@Injectable()
export class StripeCustomers {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * Creates the customer of a tenant. Idempotent for a day, because parameters and key never
   * change.
   * @param after the previous customer, which was deleted at Stripe
   * @returns the id of the customer
   */
  async create(tenantId: string, after: string | null): Promise<StripeResult<string>> {
    const idempotencyKey = `tenant-${tenantId}-customer${after ? `-after-${after}` : ''}`;
    const created = await this.stripeClient.call('customers.create', (stripe) =>
      stripe.customers.create({ metadata: { tenantId } }, { idempotencyKey }),
    );
    return created.ok ? ok(created.value.id) : created;
  }

  /**
   * Searches the customer of a tenant. A new customer is found after about a minute, and the search
   * is not available in every region.
   * @param except a customer to skip
   * @returns the id of the customer, or null
   */
  async find(tenantId: string, except: string | null): Promise<StripeResult<string | null>> {
    const query = `metadata['tenantId']:'${tenantId}'`;
    const found = await this.stripeClient.call('customers.search', (stripe) =>
      stripe.customers.search({ query, limit: 2 }).catch(nullIfRefused),
    );
    return found.ok ? ok(found.value?.data.find(({ id }) => id !== except)?.id ?? null) : found;
  }

  /** Null: there is no such customer, or none with an email address. */
  async get(customerId: string): Promise<StripeResult<CustomerDetails | null>> {
    const found = await this.stripeClient.call('customers.retrieve', (stripe) =>
      stripe.customers.retrieve(customerId).catch(nullIfMissing()),
    );
    if (!found.ok) return found;
    const customer = found.value;
    if (!customer || customer.deleted || !customer.email) return ok(null);
    return ok({ name: customer.name ?? undefined, email: customer.email });
  }

  /** Sets details for receipts. Does nothing if the customer was deleted. */
  async update(customerId: string, details: CustomerDetails): Promise<StripeResult> {
    const updated = await this.stripeClient.call('customers.update', (stripe) =>
      stripe.customers.update(customerId, details).catch(nullIfMissing()),
    );
    return updated.ok ? ok() : updated;
  }
}

/** Null if the request is refused as invalid. */
function nullIfRefused(error: unknown): null {
  if (error instanceof stripeLibrary().errors.StripeInvalidRequestError) return null;
  throw error;
}
