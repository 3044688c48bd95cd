import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { QueryResult } from '../list/query-result';
import { api } from '../session';
import { PortalButton } from './portal-button';

/** The payment method that is charged. It is changed in the billing portal. */
export function PaymentMethod({ canPay }: { canPay: boolean }) {
  const method = useQuery({
    queryKey: ['payment-method'],
    queryFn: async () => unwrap(await api.GET('/billing/payment-method')),
  });
  return (
    <Section title="Payment method">
      <QueryResult from={method}>
        {({ onFile }) => (
          <ListRow title={onFile ? describe(onFile) : 'None'} text={onFile ? expiry(onFile) : NONE}>
            {canPay && <PortalButton label={onFile ? 'Change' : 'Add'} variant="outlined" />}
          </ListRow>
        )}
      </QueryResult>
    </Section>
  );
}

const NONE = 'No payment method is on file.';

type OnFile = Schemas['PaymentMethodOnFileView'];

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
function describe({ brand, last4 }: OnFile): string {
  const name = BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1).replaceAll('_', ' ');
  return last4 ? `${name} ending in ${last4}` : name;
}

/** "Expires 12/2030" */
function expiry({ expMonth, expYear }: OnFile): string | undefined {
  if (expMonth === null || expYear === null) return undefined;
  const hasExpired = Date.now() >= Date.UTC(expYear, expMonth); // the first moment of the next month
  return `${hasExpired ? 'Expired' : 'Expires'} ${String(expMonth).padStart(2, '0')}/${expYear}`;
}
