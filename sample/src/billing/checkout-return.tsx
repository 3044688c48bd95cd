import { Alert } from '@mui/material';
import { ApiError, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorMessage } from '../messages';
import { api } from '../session';

/**
 * Reads the subscription from Stripe when the page is opened: checkout and billing portal send the
 * browser back here, maybe before the webhook has arrived. After a checkout it says what came of
 * it.
 */
export function CheckoutReturn() {
  const [search, setSearch] = useSearchParams();
  const isBackFromCheckout = search.has('success');
  const [hasPaid] = useState(isBackFromCheckout);
  const { mutate: sync, ...syncing } = useMutation({
    meta: { isShown: true },
    mutationFn: async () => unwrap(await api.POST('/billing/sync')),
  });
  useEffect(() => sync(), [sync]);
  // The confirmation is shown once, not at every reload.
  useEffect(() => {
    if (isBackFromCheckout) setSearch({}, { replace: true });
  }, [isBackFromCheckout, setSearch]);
  if (!hasPaid) return null;
  if (syncing.isPending) return <Alert severity="info">Confirming your payment…</Alert>;
  if (syncing.isSuccess)
    return <Alert severity="success">Thank you! Your workspace is now on {syncing.data.plan}.</Alert>;
  return syncing.error instanceof ApiError && <Alert severity="warning">{errorMessage(syncing.error)}</Alert>;
}
