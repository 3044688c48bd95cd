import { Stack, Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Form, type FormValues } from '../form/form';
import { Page, Section } from '../layout/page';
import { useMe } from '../queries';
import { api, type Permission, useImpersonationBlock } from '../session';
import { HeldPermissionPicker } from '../tenant/permission-picker';
import { useWorkspacePath } from '../workspace-path';
import { ExpiryFields, KeyNameField, NetworksField } from './key-fields';
import { expiryOf, networksOf } from './key-terms';
import { NewKeyDialog } from './new-key-dialog';

/** Creates a personal token for the open workspace, and shows it. */
export default function NewTokenPage() {
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const blocked = useImpersonationBlock();
  const workspace = useMe().data?.tenant?.name;
  const [permissions, setPermissions] = useState<readonly Permission[]>([]);
  const [created, setCreated] = useState<Schemas['NewApiKeyView']>();
  const leave = () => {
    void navigate(path('/account/tokens'));
  };
  const create = (values: FormValues) => {
    const { name = '' } = values;
    const body = { name, permissions: [...permissions], allowedNetworks: networksOf(values) };
    return api.POST('/users/me/tokens', { body: { ...body, expiresAt: expiryOf(values) ?? '' } });
  };
  return (
    <Page title="New personal token" back={{ to: '/account/tokens', name: 'Personal tokens' }}>
      <Section>
        {blocked ? (
          <Typography color="textSecondary">{blocked}</Typography>
        ) : (
          <Form submit="Create token" send={create} onDone={setCreated} onCancel={leave}>
            <Stack spacing={2.5}>
              <Typography variant="body2" color="textSecondary">
                For the workspace <strong>{workspace}</strong>. For another one, switch to it first. The token may do
                what you choose here, as long as your role may do it, too, and ends when you leave the workspace.
              </Typography>
              <KeyNameField placeholder="Laptop" />
              <ExpiryFields />
              <NetworksField />
              <HeldPermissionPicker chosen={permissions} choose={setPermissions} />
            </Stack>
          </Form>
        )}
      </Section>
      {created && <NewKeyDialog title="Token created" noun="token" secret={created.key} done={leave} />}
    </Page>
  );
}
