import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { api } from '../api';

/** Syncs the subscription with Stripe now. */
export const SyncButton = ({ tenant: { id } }: { tenant: Schemas['AdminTenantDetailView'] }) => {
  const { act, isBusy } = useAction();
  const sync = () =>
    act(
      () => api.POST('/admin/tenants/{id}/sync', { params: { path: { id } } }),
      ({ processorSubscriptionId, plan, status }) =>
        `${processorSubscriptionId ? 'Synced' : 'No Stripe subscription'}: ${plan}, ${labelOf(status).toLowerCase()}.`,
    );
  return (
    <Button
      variant="outlined"
      loading={isBusy}
      onClick={() => {
        void sync();
      }}
    >
      Sync now
    </Button>
  );
};
