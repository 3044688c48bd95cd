import { NewReceiver } from '../receivers/new-receiver';
import { api } from '../session';
import { WebhookForm } from './webhook-form';
import { WEBHOOKS } from './webhook-texts';

/** Creates an endpoint, and shows its secret. */
export default function NewWebhookPage() {
  return (
    <NewReceiver kind={WEBHOOKS}>
      {(form) => <WebhookForm {...form} send={(body) => api.POST('/tenants/current/webhooks', { body })} />}
    </NewReceiver>
  );
}
