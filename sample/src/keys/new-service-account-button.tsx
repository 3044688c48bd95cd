import { useNavigate } from 'react-router';
import { Field } from '../form/field';
import { DialogButton } from '../form/form-dialog';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';

/** Creates a service account, and opens its page, where it gets keys. */
export function NewServiceAccountButton() {
  const navigate = useNavigate();
  const path = useWorkspacePath();
  return (
    <DialogButton
      button="New service account"
      variant="contained"
      disabledReason={useImpersonationBlock()}
      title="New service account"
      text="Name it after the program that uses it."
      submit="Create service account"
      send={({ name = '' }) => api.POST('/tenants/current/service-accounts', { body: { name } })}
      onDone={({ id }) => {
        void navigate(path(`/api-keys/${id}`));
      }}
    >
      <ServiceAccountNameField />
    </DialogButton>
  );
}

/** The name of a service account. */
export const ServiceAccountNameField = ({ name }: { name?: string }) => (
  <Field
    name="name"
    label="Name"
    placeholder="Nightly import"
    autoComplete="off"
    emptyMessage="Enter a name."
    defaultValue={name}
    autoFocus
  />
);
