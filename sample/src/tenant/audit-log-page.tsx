import { Chip } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { dateTime } from '../date-format';
import { Page, Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { useMemberNames } from './member-names';
import { api } from '../session';
import { auditDetails, auditTitle } from './audit-messages';

/** The activity in the workspace, newest first. */
export default function AuditLogPage() {
  const pages = usePagedQuery('audit', (query) => api.GET('/tenants/current/audit-log', { params: { query } }));
  // Entries carry user ids, because they outlive the members. Current members are shown by name.
  const nameOf = useMemberNames();
  return (
    <Page title="Audit log" text="A permanent record of activity in this workspace.">
      <Section>
        <PagedList pages={pages} empty="No activity yet.">
          {(entry) => <AuditEntryRow entry={entry} nameOf={nameOf} />}
        </PagedList>
      </Section>
    </Page>
  );
}

interface AuditEntryRowProps {
  readonly entry: Schemas['AuditEntryView'];
  readonly nameOf: (userId: string) => string | undefined;
}

function AuditEntryRow({ entry, nameOf }: AuditEntryRowProps) {
  const { actorId, impersonatorId, principalKind, at, ip } = entry;
  const user = actorId && (nameOf(actorId) ?? 'A deleted user or someone outside this workspace');
  const actor = user ?? (principalKind === 'service' ? 'A service account' : 'System');
  const title = (
    <>
      {auditTitle(entry)}
      {impersonatorId && <Chip size="small" color="warning" variant="outlined" label="By support" />}
      {principalKind === 'token' && <Chip size="small" variant="outlined" label="Personal token" />}
    </>
  );
  const details = auditDetails(entry, nameOf);
  const text = (
    <>
      {[actor, dateTime(at), ip].filter(Boolean).join(' · ')}
      {details && <div>{details}</div>}
    </>
  );
  return <ListRow title={title} text={text} />;
}
