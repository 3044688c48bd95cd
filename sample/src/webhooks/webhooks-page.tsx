import { Button, Link } from '@mui/material';
import { Link as RouterLink } from 'react-router';
import { dateTime } from '../date-format';
import { Page, Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import type { Webhook } from './webhook-queries';
import { WebhookStateChip } from './webhook-state';
import { disabledText, eventsText } from './webhook-texts';

const EMPTY =
  'No webhooks yet. A webhook tells your own server at once what happens in this workspace, ' +
  'such as a new member or project, so that it need not ask.';

/** The endpoints to which the events of the workspace are sent. */
export default function WebhooksPage() {
  const blocked = useImpersonationBlock();
  const path = useWorkspacePath();
  const pages = usePagedQuery(
    'webhooks',
    (query) => api.GET('/tenants/current/webhooks', { params: { query } }),
    SHARED_LIST_REFRESH_MS,
  );
  const create = (
    <Button variant="contained" component={RouterLink} to={path('/webhooks/new')}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" text="Events of this workspace, sent to your servers." action={!blocked && create}>
      <Section>
        <PagedList pages={pages} empty={EMPTY}>
          {(webhook) => <WebhookRow webhook={webhook} />}
        </PagedList>
      </Section>
    </Page>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const path = useWorkspacePath();
  const { id, url, description, failingSince } = webhook;
  const title = (
    <>
      <Link component={RouterLink} to={path(`/webhooks/${id}`)}>
        {url}
      </Link>
      <WebhookStateChip webhook={webhook} />
    </>
  );
  const state = disabledText(webhook) ?? (failingSince && `Failing since ${dateTime(failingSince)}`);
  return <ListRow title={title} text={[description, eventsText(webhook), state].filter(Boolean).join(' · ')} />;
}
