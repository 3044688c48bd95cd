import { failure } from '../platform/result';

/** The failures of billing (docs/contract.md, Error codes). */
export const BillingFailures = {
  unavailable: failure(
    'BILLING_UNAVAILABLE',
    'unavailable',
    'Billing is unavailable: Stripe cannot be reached or is not configured. Nothing was changed; try again later.',
  ),
  alreadySubscribed: failure(
    'ALREADY_SUBSCRIBED',
    'conflict',
    'This tenant already has a subscription. Change it in the billing portal.',
  ),
  checkoutInProgress: failure(
    'CONFLICT',
    'conflict',
    'Another checkout is being started for this tenant. Try again in a moment.',
  ),
  syncInProgress: failure('CONFLICT', 'conflict', 'A sync is already in progress.'),
  noCustomer: failure(
    'NO_CUSTOMER',
    'conflict',
    'This tenant has never started a checkout, so there is nothing to manage yet.',
  ),
  planRequired: failure('PLAN_REQUIRED', 'unpaid', "The tenant's plan does not include this. Upgrade to continue."),
  invalidSignature: failure(
    'INVALID_SIGNATURE',
    'invalid',
    'The signature does not match a secret of this endpoint, or its timestamp is too far from now.',
  ),
};
