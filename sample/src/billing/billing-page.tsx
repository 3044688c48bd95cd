import { Typography } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { api, useHasPermission } from '../session';
import { CheckoutReturn } from './checkout-return';
import { InvoiceTable } from './invoice-table';
import { PaymentMethod } from './payment-method';
import { PlanChoice } from './plan-choice';
import { SubscriptionSummary } from './subscription-summary';
import { UsageSummary } from './usage-summary';

/** Billing for those who may read it; others, who have followed a link, read whom to ask. */
export default function BillingPage() {
  if (useHasPermission()('tenant.billing.read')) return <Billing />;
  return (
    <Page title="Billing">
      <Section>
        <Typography>
          Your role doesn’t include billing. Ask the workspace owner about the plan, invoices and payments.
        </Typography>
      </Section>
    </Page>
  );
}

/** The subscription, what is used of it, the plans, and what was paid. */
function Billing() {
  const canPay = useHasPermission()('tenant.billing.manage');
  const subscription = useQuery({
    queryKey: ['subscription'],
    queryFn: async () => unwrap(await api.GET('/billing/subscription')),
  });
  return (
    <Page
      title="Billing"
      text={canPay ? 'Manage your plan and payment details.' : 'The plan and payment details of this workspace.'}
    >
      <CheckoutReturn />
      <QueryResult from={subscription}>
        {(current) => (
          <>
            <Section title="Your subscription">
              <SubscriptionSummary subscription={current} canPay={canPay} />
              <UsageSummary />
            </Section>
            <PlanChoice subscription={current} canPay={canPay} />
            {current.processorCustomerId && (
              <>
                <PaymentMethod canPay={canPay} />
                <InvoiceTable />
              </>
            )}
          </>
        )}
      </QueryResult>
    </Page>
  );
}
