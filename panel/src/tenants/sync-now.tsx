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
      ({ plan, status }) => `Read at the processor: ${plan}, ${wordOf(status)}.`,
    );
  return (
    <Button variant="outlined" loading={isBusy} onClick={() => void sync()}>
      Sync now
    </Button>
  );
};
