import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { useAction } from '../components/use-action';

/** Ends what a tenant was given before its time. */
export const EndOverride = ({ tenant: { id, name } }: { tenant: Schemas['AdminTenantDetailView'] }) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="Remove"
      color="error"
      variant="text"
      loading={isBusy}
      title={`Remove the override of ${name}?`}
      confirm="Remove override"
      onConfirm={(fail) =>
        act(
          () => api.DELETE('/admin/tenants/{id}/entitlements', { params: { path: { id } } }),
          () => `${name} has the entitlements of its plan again.`,
          { fail },
        )
      }
    >
      The entitlements of the plan apply again at once. Nothing that exists is deleted.
    </ConfirmDialog>
  );
};
