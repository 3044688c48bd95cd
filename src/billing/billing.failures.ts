import { invalid } from '../platform/platform.failures';
import { failure } from '../platform/result';

/** The failures of billing (docs/contract.md, Error codes). */
export const BillingFailures = {
  unavailable: failure(
    'BILLING_UNAVAILABLE',
    'unavailable',
    'Billing is unavailable: Stripe cannot be reached or is not configured. Try again later.',
  ),
  alreadySubscribed: failure(
    'ALREADY_SUBSCRIBED',
    'conflict',
    'This tenant already has a subscription. Change its plan instead.',
  ),
  changeInProgress: failure(
    'CONFLICT',
    'conflict',
    'Another request is changing the billing of this tenant. Try again in a moment.',
  ),
  syncInProgress: failure('CONFLICT', 'conflict', 'A sync is already in progress.'),
  noCustomer: failure(
    'NO_CUSTOMER',
    'conflict',
    'This tenant has never started a checkout, so there is nothing to manage yet.',
  ),
  noSubscription: failure('NO_SUBSCRIPTION', 'conflict', 'This tenant has no subscription. Start a checkout.'),
  otherCurrency: failure(
    'CONFLICT',
    'conflict',
    'This plan is not available in the currency of the subscription. Choose another plan or interval.',
  ),
  samePlan: failure('SAME_PLAN', 'conflict', 'The subscription already has this plan and interval.'),
  notTrialing: failure('CONFLICT', 'conflict', 'The subscription is not in a trial.'),
  trialEndFixed: failure(
    'CONFLICT',
    'conflict',
    'The trial cannot be extended: a cancellation, or a change made in Stripe, is scheduled.',
  ),
  paymentDue: failure(
    'PAYMENT_DUE',
    'conflict',
    'The subscription is past due or paused. Update the payment method in the billing portal first.',
  ),
  paymentFailed: failure(
    'PAYMENT_FAILED',
    'unpaid',
    'The payment failed: the payment method was declined, or its bank asks for a confirmation. Nothing was changed. ' +
      'Update the payment method in the billing portal, or change the plan there.',
  ),
  promotionCodeUnknown: invalid({ promotionCode: ['is unknown, or no longer valid'] }),
  currencyRefused: invalid({ currency: ['cannot be used: the customer pays in another currency'] }),
  promotionCodeRefused: invalid({ promotionCode: ['cannot be used for this subscription'] }),
  planRequired: failure('PLAN_REQUIRED', 'unpaid', "The tenant's plan does not include this. Upgrade to continue."),
  invalidSignature: failure(
    'INVALID_SIGNATURE',
    'invalid',
    'The signature does not match a secret of this endpoint, or its timestamp is too far from now.',
  ),
};
