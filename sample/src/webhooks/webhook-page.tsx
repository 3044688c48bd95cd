import { useParams } from 'react-router';
import { longDate } from '../date-format';
import { ReceiverDetails } from '../receivers/receiver-details';
import { ReceiverPage } from '../receivers/receiver-page';
import { ReceiverSigning } from '../receivers/receiver-signing';
import { api } from '../session';
import { DeliveryList } from './delivery-list';
import { TestEventButton, VerifyButton } from './send-button';
import { WebhookNotice } from './webhook-notice';
import { useWebhook, type Webhook } from './webhook-queries';
import { WebhookSwitch } from './webhook-switch';
import { WEBHOOKS } from './webhook-texts';

/** An endpoint: its state, its keys and what was sent to it. */
export default function WebhookPage() {
  const { id = '' } = useParams();
  const params = { path: { id } };
  return (
    <ReceiverPage kind={WEBHOOKS} from={useWebhook(id)} action={actionOf}>
      {(webhook) => (
        <>
          <WebhookNotice webhook={webhook} />
          <ReceiverDetails
            kind={WEBHOOKS}
            receiver={webhook}
            facts={factsOf(webhook)}
            deletion="It gets no more events, and the log of its deliveries is deleted."
            remove={() => api.DELETE('/tenants/current/webhooks/{id}', { params })}
          >
            <WebhookSwitch webhook={webhook} />
          </ReceiverDetails>
          <ReceiverSigning
            receiver={webhook}
            rotate={(body) => api.POST('/tenants/current/webhooks/{id}/rotate-secret', { params, body })}
          />
          <DeliveryList webhook={webhook} />
        </>
      )}
    </ReceiverPage>
  );
}

const NOT_VERIFIED = 'Not yet: it gets events when its receiver has answered the challenge.';

const actionOf = (webhook: Webhook) =>
  webhook.verifiedAt ? <TestEventButton webhook={webhook} /> : <VerifyButton webhook={webhook} />;

const factsOf = ({ types, createdAt, verifiedAt }: Webhook) => [
  { name: 'Events', value: types?.join(', ') ?? 'All events' },
  { name: 'Verified', value: verifiedAt ? longDate(verifiedAt) : NOT_VERIFIED },
  { name: 'Created', value: longDate(createdAt) },
];
