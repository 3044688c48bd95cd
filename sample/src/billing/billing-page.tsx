import { Alert, Box } from '@mui/material';
import { ApiError, unwrap } from '@tenantry/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { errorMessage } from '../messages';
import { api, useHasPermission } from '../session';
import { PlanCard } from './plan-card';
import { SubscriptionSummary } from './subscription-summary';

/**
 * What the workspace pays for, and what else it could have. Checkout and portal send the browser
 * back here.
 */
export default function BillingPage() {
  const [search, setSearch] = useSearchParams();
  const [hasPaid] = useState(search.has('success'));
  const canPay = useHasPermission()('tenant.billing.manage');
  const subscription = useQuery({
    queryKey: ['subscription'],
    queryFn: async () => unwrap(await api.GET('/billing/subscription')),
  });
  const plans = useQuery({ queryKey: ['plans'], queryFn: async () => unwrap(await api.GET('/billing/plans')).items });
  // Whoever comes back may be faster than the processor's message to the service: have it look
  // there now.
  const { mutate: sync, ...syncing } = useMutation({
    meta: { isShown: true },
    mutationFn: async () => unwrap(await api.POST('/billing/sync')),
  });
  useEffect(() => sync(), [sync]);
  // It is said once, not at every reload.
  useEffect(() => setSearch((all) => (all.delete('success'), all), { replace: true }), [setSearch]);
  return (
    <Page title="Billing" text="The plan of this workspace.">
      {hasPaid && syncing.isPending && <Alert severity="info">One moment: we are looking for your payment.</Alert>}
      {hasPaid && syncing.isSuccess && (
        <Alert severity="success">Thank you! Your workspace is on {syncing.data.plan} now.</Alert>
      )}
      {hasPaid && syncing.error instanceof ApiError && <Alert severity="warning">{errorMessage(syncing.error)}</Alert>}
      <QueryResult from={subscription}>
        {(current) => (
          <>
            <Section title="Your subscription">
              <SubscriptionSummary subscription={current} canPay={canPay} />
            </Section>
            <QueryResult from={plans}>
              {(all) => (
                <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, 1fr)' } }}>
                  {all.map((plan) => (
                    <PlanCard key={plan.name} plan={plan} current={current} canPay={canPay} />
                  ))}
                </Box>
              )}
            </QueryResult>
          </>
        )}
      </QueryResult>
    </Page>
  );
}
