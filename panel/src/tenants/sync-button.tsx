import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { api } from '../api';

/** Reads the subscription at the processor now. */
export const SyncButton = ({ tenant: { id } }: { tenant: Schemas['AdminTenantDetailView'] }) => {
  const { act, isBusy } = useAction();
  const sync = () =>
    act(
      () => api.POST('/admin/tenants/{id}/sync', { params: { path: { id } } }),
      // Also true when the processor was asked a moment ago, or has never heard of this tenant.
      ({ processorSubscriptionId, plan, status }) =>
        `${processorSubscriptionId ? 'The processor’s word' : 'Nothing is subscribed to'}: ${plan}, ${labelOf(status).toLowerCase()}.`,
    );
  return (
    <Button variant="outlined" loading={isBusy} onClick={() => void sync()}>
      Sync now
    </Button>
  );
};
