import type { Schemas } from '@tenantry/client';
import { Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { QueryResult } from '../list/query-result';
import { describeMethod, usePaymentMethod } from './payment-method-on-file';
import { PortalButton } from './portal-button';

/** The payment method that is charged. It is changed in the billing portal. */
export function PaymentMethod({ canPay }: { canPay: boolean }) {
  const method = usePaymentMethod();
  return (
    <Section title="Payment method">
      <QueryResult from={method}>
        {({ onFile }) => (
          <ListRow title={onFile ? describeMethod(onFile) : 'None'} text={onFile ? expiry(onFile) : NONE}>
            {canPay && <PortalButton label={onFile ? 'Change' : 'Add'} variant="outlined" />}
          </ListRow>
        )}
      </QueryResult>
    </Section>
  );
}

const NONE = 'No payment method is on file.';

type OnFile = Schemas['PaymentMethodOnFileView'];

/** "Expires 12/2030" */
function expiry({ expMonth, expYear }: OnFile): string | undefined {
  if (expMonth === null || expYear === null) return undefined;
  const hasExpired = Date.now() >= Date.UTC(expYear, expMonth); // the first moment of the next month
  return `${hasExpired ? 'Expired' : 'Expires'} ${String(expMonth).padStart(2, '0')}/${expYear}`;
}
