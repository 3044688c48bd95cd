import { LimitNotice } from '../billing/usage';
import { Page, Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { api, useHasPermission } from '../session';
import { PendingInvitations } from './pending-invitations';
import { InviteButton } from './invite-button';
import { OrphanedResources } from './orphaned-resources';
import { MemberRow } from './member-row';

/** The members of the workspace and its pending invitations. */
export default function MembersPage() {
  const hasPermission = useHasPermission();
  const canInvite = hasPermission('tenant.members.invite');
  const pages = usePagedQuery(
    'members',
    (query) => api.GET('/tenants/current/members', { params: { query } }),
    SHARED_LIST_REFRESH_MS,
  );
  return (
    <Page title="Members" text="People with access to this workspace." action={canInvite && <InviteButton />}>
      <LimitNotice name="seats" />
      <Section>
        <PagedList pages={pages} empty="No members.">
          {(member) => <MemberRow member={member} />}
        </PagedList>
      </Section>
      {canInvite && <PendingInvitations />}
      {hasPermission('tenant.security.manage') && <OrphanedResources />}
    </Page>
  );
}
