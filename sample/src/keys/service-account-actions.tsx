import { Box } from '@mui/material';
import { useNavigate } from 'react-router';
import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import type { ServiceAccount } from './key-queries';
import { ServiceAccountNameField } from './new-service-account-button';

/** Renames, disables, enables and deletes a service account. */
export function ServiceAccountActions({ account: { id, name, disabledAt } }: { account: ServiceAccount }) {
  const disabledReason = useImpersonationBlock();
  const showToast = useToast();
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const params = { path: { id } };
  const change = (body: { name?: string; disabled?: boolean }) =>
    api.PATCH('/tenants/current/service-accounts/{id}', { params, body });
  const leave = () => {
    showToast(`${name} was deleted.`);
    void navigate(path('/api-keys'));
  };
  return (
    <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap', mx: -0.5 }}>
      <DialogButton
        button="Rename"
        disabledReason={disabledReason}
        title="Rename the service account"
        submit="Save"
        send={(values) => change({ name: values.name })}
      >
        <ServiceAccountNameField name={name} />
      </DialogButton>
      <DialogButton
        button={disabledAt ? 'Enable' : 'Disable'}
        disabledReason={disabledReason}
        title={disabledAt ? `Enable ${name}?` : `Disable ${name}?`}
        text={
          disabledAt
            ? 'Its keys can be used again, unless they have expired or were revoked.'
            : 'All its keys are refused within a second, until you enable it again.'
        }
        submit={disabledAt ? 'Enable' : 'Disable'}
        send={() => change({ disabled: !disabledAt })}
      />
      <DialogButton
        button="Delete"
        disabledReason={disabledReason}
        title={`Delete ${name}?`}
        text="All its keys are deleted, and programs that use them are refused. This can’t be undone."
        submit="Delete"
        isDanger
        send={() => api.DELETE('/tenants/current/service-accounts/{id}', { params })}
        onDone={leave}
      />
    </Box>
  );
}
