import { ReceiverList } from '../receivers/receiver-list';

const EMPTY = ['No webhook endpoints yet.', 'No webhook endpoint matches the filters.'] as const;

/** Webhook endpoints of all tenants. */
const WebhookEndpointList = () => <ReceiverList title="Webhook endpoints" resource="webhook-endpoints" empty={EMPTY} />;

export default WebhookEndpointList;
