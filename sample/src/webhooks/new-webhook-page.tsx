import type { Schemas } from '@tenantry/client';
import { Typography } from '@mui/material';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SecretDialog } from '../form/secret-dialog';
import { Page, Section } from '../layout/page';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { WebhookForm } from './webhook-form';
import { SecretUse } from './secret-use';

/** Creates an endpoint, and shows its secret. */
export default function NewWebhookPage() {
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const blocked = useImpersonationBlock();
  const [created, setCreated] = useState<Schemas['WebhookEndpointWithSecretView']>();
  const open = (page: string) => {
    void navigate(path(page));
  };
  return (
    <Page title="New webhook" back={{ to: '/webhooks', name: 'Webhooks' }}>
      <Section>
        {blocked ? (
          <Typography color="textSecondary">{blocked}</Typography>
        ) : (
          <WebhookForm
            submit="Create webhook"
            send={(body) => api.POST('/tenants/current/webhooks', { body })}
            onDone={setCreated}
            onCancel={() => open('/webhooks')}
          />
        )}
      </Section>
      {created && (
        <SecretDialog
          title="Webhook created"
          noun="signing secret"
          secret={created.secret}
          done={() => open(`/webhooks/${created.id}`)}
        >
          <SecretUse />
        </SecretDialog>
      )}
    </Page>
  );
}
