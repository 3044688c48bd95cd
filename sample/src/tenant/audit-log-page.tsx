import { Chip } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { Page, Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { ListRow } from '../list/list-row';
import { usePagedQuery } from '../queries';
import { api, useHasPermission } from '../session';
import { moment } from '../date-format';

/** What happened in the workspace, newest first. */
export default function AuditLogPage() {
  const pages = usePagedQuery('audit', (query) => api.GET('/tenants/current/audit-log', { params: { query } }));
  const canReadMembers = useHasPermission()('tenant.members.read');
  // Entries carry ids: they outlive the people. Those who are still here are shown by name.
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/members', { params: { query: { limit: 100 } } })).items,
    enabled: canReadMembers,
  });
  const nameOf = (id: string | null) =>
    members.data?.find(({ userId }) => userId === id)?.name ?? (id ? 'Somebody else' : 'The system');
  return (
    <Page title="Audit log" text="What happened here, and who did it. Nothing of it can be changed.">
      <Section>
        <PagedList pages={pages} empty="Nothing has happened yet.">
          {(entry) => <Entry entry={entry} actor={nameOf(entry.actorId)} />}
        </PagedList>
      </Section>
    </Page>
  );
}

function Entry({
  entry: { action, at, data, impersonatorId, ip },
  actor,
}: {
  entry: Schemas['AuditEntryView'];
  actor: string;
}) {
  const words = action.replaceAll(/[.-]/g, ' ');
  const details = Object.entries(data).filter(
    ([name, value]) => !name.endsWith('Id') && ['string', 'number', 'boolean'].includes(typeof value),
  );
  const title = (
    <>
      {words.charAt(0).toUpperCase() + words.slice(1)}
      {impersonatorId && <Chip size="small" color="warning" variant="outlined" label="An operator acted" />}
    </>
  );
  const text = (
    <>
      {[actor, moment(at), ip].filter(Boolean).join(' · ')}
      {details.length > 0 && <div>{details.map(([name, value]) => `${name}: ${String(value)}`).join(' · ')}</div>}
    </>
  );
  return <ListRow title={title} text={text} />;
}
