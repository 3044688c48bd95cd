import { Alert, Box } from '@mui/material';
import { ApiError, unwrap } from '@tenantry/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { errorMessage } from '../messages';
import { api, useHasPermission } from '../session';
import { PlanCard } from './plan-card';
import { SubscriptionSummary } from './subscription-summary';

/** The subscription and the plans. Checkout and billing portal send the browser back here. */
export default function BillingPage() {
  const [search] = useSearchParams();
  const isBackFromCheckout = search.has('success');
  const [hasPaid] = useState(isBackFromCheckout);
  const navigate = useNavigate();
  const canPay = useHasPermission()('tenant.billing.manage');
  const subscription = useQuery({
    queryKey: ['subscription'],
    queryFn: async () => unwrap(await api.GET('/billing/subscription')),
  });
  const plans = useQuery({ queryKey: ['plans'], queryFn: async () => unwrap(await api.GET('/billing/plans')).items });
  // The browser may be back before the webhook has arrived: sync now.
  const { mutate: sync, ...syncing } = useMutation({
    meta: { isShown: true },
    mutationFn: async () => unwrap(await api.POST('/billing/sync')),
  });
  useEffect(() => sync(), [sync]);
  // The confirmation is shown once, not at every reload.
  useEffect(() => {
    if (isBackFromCheckout) void navigate('/billing', { replace: true });
  }, [isBackFromCheckout, navigate]);
  return (
    <Page title="Billing" text="Manage your plan and payment details.">
      {hasPaid && syncing.isPending && <Alert severity="info">Confirming your payment…</Alert>}
      {hasPaid && syncing.isSuccess && (
        <Alert severity="success">Thank you! Your workspace is now on {syncing.data.plan}.</Alert>
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
