import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useAct } from '../parts/act';
import { wordOf } from '../parts/state';
import { api } from '../session';

/** Reads the subscription at the processor now. */
export const SyncNow = ({ tenant: { id } }: { tenant: Schemas['AdminTenantDetailView'] }) => {
  const { act, isBusy } = useAct();
  const sync = () =>
    act(
      () => api.POST('/admin/tenants/{id}/sync', { params: { path: { id } } }),
      // Also true when the processor was asked a moment ago, or has never heard of this tenant.
      ({ processorSubscriptionId, plan, status }) =>
        `${processorSubscriptionId ? 'The processor’s word' : 'Nothing is subscribed to'}: ${plan}, ${wordOf(status).toLowerCase()}.`,
    );
  return (
    <Button variant="outlined" loading={isBusy} onClick={() => void sync()}>
      Sync now
    </Button>
  );
};
