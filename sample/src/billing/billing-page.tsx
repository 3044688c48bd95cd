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

/** The subscription, what is used of it, the plans, and what was paid. */
export default function BillingPage() {
  const canPay = useHasPermission()('tenant.billing.manage');
  const subscription = useQuery({
    queryKey: ['subscription'],
    queryFn: async () => unwrap(await api.GET('/billing/subscription')),
  });
  return (
    <Page title="Billing" text="Manage your plan and payment details.">
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
