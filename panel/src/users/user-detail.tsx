import { Avatar } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { AuditLogSection } from '../audit/audit-log-section';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { CopyableField, IdField } from '../components/copyable-field';
import { PageHeader } from '../components/page-header';
import { TextLink, recordAt } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { DataRows } from '../components/data-rows';
import { Columns, Section } from '../components/section';
import { OpenReset } from '../factor-resets/open-reset';
import { RequestResetButton } from '../factor-resets/request-reset-button';
import { AccountAccessButton } from './account-access-button';
import { ImpersonateButton } from './impersonate-button';
import { EndSessionsButton } from './end-sessions-button';
import { SendPasswordResetButton, SendVerificationButton } from './send-link-button';
import { SessionTable } from './session-table';
import { signInMethodOf } from './sign-in-method';
import { UserStatusChips } from './user-status-chips';

/** An account and what an operator can do with it. */
const UserDetail = () => (
  <DetailPage<Schemas['AdminUserDetailView']> list="Users" noun="User">
    {(user) => (
      <>
        <PageHeader title={user.name} within={{ to: '/users', name: 'Users' }} beside={<UserStatusChips user={user} />}>
          <SendVerificationButton user={user} />
          <SendPasswordResetButton user={user} />
          <RequestResetButton user={user} />
          <ImpersonateButton user={user} />
          <AccountAccessButton user={user} />
        </PageHeader>
        <OpenReset userId={user.id} />
        <Columns>
          <Section
            title="Account"
            aside={user.pictureUrl && <Avatar src={user.pictureUrl} alt="" sx={{ width: 28, height: 28 }} />}
          >
            <FieldList>
              <CopyableField name="Email" value={user.email} />
              <Field name="Created">
                <Timestamp at={user.createdAt} full />
              </Field>
              <Field name="Last sign-in">
                {user.lastSignInAt ? <LastSignIn at={user.lastSignInAt} method={user.lastSignInMethod} /> : 'Never'}
              </Field>
              <Field name="Second factor">{user.hasSecondFactor ? 'In use' : 'None'}</Field>
              <Field name="Password">{user.hasPassword ? 'Set' : 'None'}</Field>
              <Field name="Disabled since">{user.disabledAt && <Timestamp at={user.disabledAt} full />}</Field>
              <Field name="Deletion planned for">{user.deletesAt && <Timestamp at={user.deletesAt} full />}</Field>
              <IdField name="ID" id={user.id} />
            </FieldList>
          </Section>
          <Section title="Tenants" flush>
            <DataRows
              rows={user.memberships}
              keyOf={({ tenantId }) => tenantId}
              empty="No tenants."
              columns={{
                Tenant: ({ tenantId, tenantName }) => (
                  <TextLink to={recordAt('tenants', tenantId)}>{tenantName}</TextLink>
                ),
                Role: ({ role }) => role,
                Joined: ({ joinedAt }) => <Timestamp at={joinedAt} />,
              }}
            />
          </Section>
        </Columns>
        <Columns>
          <Section title="Sessions" flush aside={<EndSessionsButton user={user} />}>
            <SessionTable user={user} />
          </Section>
          <Section title="Linked accounts" flush>
            <DataRows
              rows={user.providers}
              keyOf={({ provider }) => provider}
              empty="No linked accounts."
              columns={{
                Provider: ({ provider }) => <span>{provider === 'github' ? 'GitHub' : 'Google'}</span>,
                'Account ID': ({ providerUserId }) => providerUserId,
                Linked: ({ linkedAt }) => <Timestamp at={linkedAt} />,
              }}
            />
          </Section>
        </Columns>
        <Columns>
          <AuditLogSection title="Activity by this user" filter={{ actor: user.id }} />
          <AuditLogSection title="Activity on this account" filter={{ target: user.id }} />
        </Columns>
      </>
    )}
  </DetailPage>
);

const LastSignIn = ({ at, method }: { at: string; method: string | null }) => {
  const name = signInMethodOf(method);
  return (
    <>
      <Timestamp at={at} full />
      {name && ` · ${name}`}
    </>
  );
};

export default UserDetail;
