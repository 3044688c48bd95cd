import { Stack, Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { upgradeAction } from '../billing/upgrade-prompt';
import { Form, type FormValues } from '../form/form';
import { Page, Section } from '../layout/page';
import { api, type Permission, useImpersonationBlock } from '../session';
import { HeldPermissionPicker } from '../tenant/permission-picker';
import { useWorkspacePath } from '../workspace-path';
import { ExpiryFields, KeyNameField, NetworksField, PerMinuteField } from './key-fields';
import { expiryOf, networksOf } from './key-terms';
import { useServiceAccounts } from './key-queries';
import { NewKeyDialog } from './new-key-dialog';

/** Creates a key of a service account, and shows it. */
export default function NewKeyPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const blocked = useImpersonationBlock();
  const [permissions, setPermissions] = useState<readonly Permission[]>([]);
  const [created, setCreated] = useState<Schemas['NewApiKeyView']>();
  const account = useServiceAccounts().data?.find((one) => one.id === id);
  const page = `/api-keys/${id}`;
  const leave = () => {
    void navigate(path(page));
  };
  const create = (values: FormValues) => {
    const { name = '', perMinute } = values;
    const limits = { allowedNetworks: networksOf(values), perMinute: perMinute ? Number(perMinute) : undefined };
    const body = { name, permissions: [...permissions], expiresAt: expiryOf(values), ...limits };
    return api.POST('/tenants/current/service-accounts/{id}/keys', { params: { path: { id } }, body });
  };
  return (
    <Page title="New key" back={{ to: page, name: account?.name ?? 'Service account' }}>
      <Section>
        {blocked ? (
          <Typography color="textSecondary">{blocked}</Typography>
        ) : (
          <Form submit="Create key" send={create} onDone={setCreated} onCancel={leave} errorAction={upgradeAction}>
            <Stack spacing={2.5}>
              <KeyNameField placeholder="Production" />
              <ExpiryFields canLast />
              <NetworksField />
              <PerMinuteField />
              <HeldPermissionPicker chosen={permissions} choose={setPermissions} />
            </Stack>
          </Form>
        )}
      </Section>
      {created && <NewKeyDialog title="Key created" secret={created.key} done={leave} />}
    </Page>
  );
}
