import { useParams } from 'react-router';
import { exactTime } from '../date-format';
import { CodeBlock } from '../layout/code-block';
import { FactList } from '../layout/fact-list';
import { NotFound } from '../layout/not-found';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useWorkspacePath } from '../workspace-path';
import { AttemptList } from './attempt-list';
import { attemptsText, DeliveryStateChip } from './delivery-state';
import { ReplayButton } from './replay-button';
import { useDelivery, useWebhook } from './webhook-queries';
import { receiverName } from '../receivers/receiver-texts';

/** A delivery with what was sent and what was answered. */
export default function DeliveryPage() {
  const { id = '', deliveryId } = useParams();
  const webhook = useWebhook(id).data;
  const delivery = useDelivery(id, deliveryId);
  const path = useWorkspacePath();
  const code = delivery.data ? undefined : delivery.error?.failure.code;
  if (code === 'NOT_FOUND' || code === 'VALIDATION_ERROR') {
    const back = { to: path(`/webhooks/${id}`), label: 'Back to the webhook' };
    return <NotFound title="Delivery not found" text="Deliveries are kept for 30 days." {...back} />;
  }
  const name = webhook ? receiverName(webhook) : 'Webhook';
  return (
    <QueryResult from={delivery}>
      {(found) => (
        <Page
          title={found.type}
          back={{ to: `/webhooks/${id}`, name }}
          action={webhook && <ReplayButton {...{ webhook, delivery: found }} variant="contained" />}
        >
          <Section title="Delivery">
            <FactList
              facts={[
                { name: 'State', value: <DeliveryStateChip delivery={found} /> },
                { name: 'Attempts', value: attemptsText(found) },
                { name: 'Created', value: exactTime(found.createdAt) },
                { name: 'URL', value: webhook?.url },
                { name: 'webhook-id', value: found.messageId },
              ]}
            />
          </Section>
          <Section title="Attempts">
            <AttemptList attempts={found.attempts} />
          </Section>
          <Section title="Request body">
            <CodeBlock label="Request body" text={pretty(found.body)} />
          </Section>
        </Page>
      )}
    </QueryResult>
  );
}

/** The same JSON, with one value in a line. */
const pretty = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);
