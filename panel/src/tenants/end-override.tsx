import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { useAction } from '../components/use-action';

/** Ends the override of a tenant's entitlements early. */
export const EndOverride = ({ tenant: { id, name } }: { tenant: Schemas['AdminTenantDetailView'] }) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="End override"
      color="error"
      variant="text"
      loading={isBusy}
      title={`End the override of ${name}?`}
      confirm="End override"
      onConfirm={(fail) =>
        act(
          () => api.DELETE('/admin/tenants/{id}/entitlements', { params: { path: { id } } }),
          () => `The override of ${name} has ended.`,
          { fail },
        )
      }
    >
      The plan’s entitlements apply immediately. No data is deleted.
    </ConfirmDialog>
  );
};
