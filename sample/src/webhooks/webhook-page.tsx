import { useParams } from 'react-router';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useWorkspacePath } from '../workspace-path';
import { DeliveryList } from './delivery-list';
import { TestEventButton } from './test-event-button';
import { WebhookDetails } from './webhook-details';
import { useWebhook, type Webhook } from './webhook-queries';
import { WebhookSigning } from './webhook-signing';
import { WebhookNotice } from './webhook-state';
import { webhookName } from './webhook-texts';

/** An endpoint: its state, its keys and what was sent to it. */
export default function WebhookPage() {
  const { id } = useParams();
  const webhook = useWebhook(id);
  const path = useWorkspacePath();
  const code = webhook.data ? undefined : webhook.error?.failure.code;
  if (code === 'NOT_FOUND' || code === 'VALIDATION_ERROR') {
    const back = { to: path('/webhooks'), label: 'Back to webhooks' };
    return <NotFound title="Webhook not found" text="It may have been deleted." {...back} />;
  }
  return <QueryResult from={webhook}>{(found) => <WebhookSections webhook={found} />}</QueryResult>;
}

function WebhookSections({ webhook }: { webhook: Webhook }) {
  return (
    <Page
      title={webhookName(webhook)}
      back={{ to: '/webhooks', name: 'Webhooks' }}
      action={<TestEventButton webhook={webhook} />}
    >
      <WebhookNotice webhook={webhook} />
      <WebhookDetails webhook={webhook} />
      <WebhookSigning webhook={webhook} />
      <DeliveryList webhook={webhook} />
    </Page>
  );
}
