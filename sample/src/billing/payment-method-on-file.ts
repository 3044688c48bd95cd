import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../session';

/** The payment method that is charged. @param enabled whether it is read */
export const usePaymentMethod = (enabled = true) =>
  useQuery({
    queryKey: ['payment-method'],
    queryFn: async () => unwrap(await api.GET('/billing/payment-method')),
    enabled,
  });

/** Names that Stripe writes in another way. */
const BRANDS: Readonly<Partial<Record<string, string>>> = {
  amex: 'American Express',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  paypal: 'PayPal',
  sepa_debit: 'SEPA Direct Debit',
  unionpay: 'UnionPay',
};

/** "Visa ending in 4242" */
export function describeMethod({ brand, last4 }: Schemas['PaymentMethodOnFileView']): string {
  const name = BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1).replaceAll('_', ' ');
  return last4 ? `${name} ending in ${last4}` : name;
}
