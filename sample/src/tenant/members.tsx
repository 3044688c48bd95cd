import { Page, Section } from '../frame/page';
import { Listing } from '../list/listing';
import { OTHERS_MS, usePages } from '../queries';
import { api, useMay } from '../session';
import { Invitations } from './invitations';
import { Invite } from './invite';
import { MemberRow } from './member';

/** Who is in the workspace, and who is asked in. */
export default function Members() {
  const may = useMay();
  const mayInvite = may('tenant.members.invite');
  const pages = usePages('members', (query) => api.GET('/tenants/current/members', { params: { query } }), OTHERS_MS);
  return (
    <Page title="Members" text="Who works here, and as what." action={mayInvite && <Invite />}>
      <Section>
        <Listing pages={pages} empty="Nobody is here.">
          {(member) => <MemberRow member={member} />}
        </Listing>
      </Section>
      {mayInvite && <Invitations />}
    </Page>
  );
}
