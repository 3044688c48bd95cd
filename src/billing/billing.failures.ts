import { failure } from '../platform/result';

/** What billing can refuse (contract section 10). */
export const BillingFailures = {
  unavailable: failure(
    'BILLING_UNAVAILABLE',
    'unavailable',
    'The payment processor cannot be reached or is not set up. Nothing was changed; try again later.',
  ),
  alreadySubscribed: failure(
    'ALREADY_SUBSCRIBED',
    'conflict',
    'This tenant already has a subscription. Change it in the billing portal.',
  ),
  checkoutUnderWay: failure(
    'CONFLICT',
    'conflict',
    'Somebody is just beginning a checkout for this tenant. Try again in a moment.',
  ),
  syncUnderWay: failure('CONFLICT', 'conflict', 'A comparison with the processor is under way already.'),
  noCustomer: failure(
    'NO_CUSTOMER',
    'conflict',
    'This tenant has never begun a checkout, so there is nothing to manage yet.',
  ),
  planRequired: failure('PLAN_REQUIRED', 'unpaid', "The tenant's plan does not include this. Upgrade to go on."),
  invalidSignature: failure(
    'INVALID_SIGNATURE',
    'invalid',
    'The event is not signed with a secret of this endpoint, or it is too old.',
  ),
};
