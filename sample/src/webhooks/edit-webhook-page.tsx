import { Typography } from '@mui/material';
import { useNavigate, useParams } from 'react-router';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { WebhookForm } from './webhook-form';
import { useWebhook } from './webhook-queries';
import { webhookName } from './webhook-texts';

/** Changes the address, the description and the events of an endpoint. */
export default function EditWebhookPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const showToast = useToast();
  const blocked = useImpersonationBlock();
  const webhook = useWebhook(id);
  const page = `/webhooks/${id}`;
  const leave = () => {
    void navigate(path(page));
  };
  const save = () => {
    showToast('Webhook saved.');
    leave();
  };
  return (
    <Page title="Edit webhook" back={{ to: page, name: webhook.data ? webhookName(webhook.data) : 'Webhook' }}>
      <Section>
        {blocked ? (
          <Typography color="textSecondary">{blocked}</Typography>
        ) : (
          <QueryResult from={webhook}>
            {(found) => (
              <WebhookForm
                key={found.id}
                webhook={found}
                submit="Save webhook"
                send={(body) => api.PATCH('/tenants/current/webhooks/{id}', { params: { path: { id } }, body })}
                onDone={save}
                onCancel={leave}
              />
            )}
          </QueryResult>
        )}
      </Section>
    </Page>
  );
}
