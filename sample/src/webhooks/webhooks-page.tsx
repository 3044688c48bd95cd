import { DocsLink } from '../layout/docs-link';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { ReceiverList } from '../receivers/receiver-list';
import { api } from '../session';
import { eventsText, WEBHOOKS } from './webhook-texts';

const EMPTY =
  'No webhooks yet. A webhook tells your own server at once what happens in this workspace, ' +
  'such as a new member or project, so that it need not ask.';

/** The endpoints to which the events of the workspace are sent. */
export default function WebhooksPage() {
  const pages = usePagedQuery(
    'webhooks',
    (query) => api.GET('/tenants/current/webhooks', { params: { query } }),
    SHARED_LIST_REFRESH_MS,
  );
  const text = (
    <>
      Events of this workspace, sent to your servers. <DocsLink topic="webhook-endpoints" />
    </>
  );
  return <ReceiverList kind={WEBHOOKS} {...{ text, pages }} empty={EMPTY} about={(webhook) => [eventsText(webhook)]} />;
}
