import { useParams } from 'react-router';
import { EditReceiver } from '../receivers/edit-receiver';
import { api } from '../session';
import { WebhookForm } from './webhook-form';
import { useWebhook } from './webhook-queries';
import { WEBHOOKS } from './webhook-texts';

/** Changes the address, the description and the events of an endpoint. */
export default function EditWebhookPage() {
  const { id = '' } = useParams();
  const params = { path: { id } };
  return (
    <EditReceiver kind={WEBHOOKS} id={id} from={useWebhook(id)}>
      {(webhook, form) => (
        <WebhookForm
          {...form}
          key={webhook.id}
          webhook={webhook}
          send={(body) => api.PATCH('/tenants/current/webhooks/{id}', { params, body })}
        />
      )}
    </EditReceiver>
  );
}
