import { Avatar } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { AuditRows } from '../audit/rows';
import { Detail } from '../parts/detail';
import { Fact, Facts } from '../parts/facts';
import { Heading } from '../parts/heading';
import { PlainLink, recordAt } from '../parts/links';
import { Moment } from '../parts/moment';
import { Rows } from '../parts/rows';
import { Columns, Section } from '../parts/section';
import { Access } from './access';
import { Impersonate } from './impersonate';
import { Sessions } from './sessions';
import { UserStates } from './states';

/** All that there is to know of an account, and what an operator can do with it. */
const User = () => (
  <Detail<Schemas['AdminUserDetailView']> list="Users">
    {(user) => (
      <>
        <Heading title={user.name} within={{ to: '/users', name: 'Users' }} beside={<UserStates user={user} />}>
          <Impersonate user={user} />
          <Access user={user} />
        </Heading>
        <Columns>
          <Section
            title="Account"
            aside={user.pictureUrl && <Avatar src={user.pictureUrl} alt="" sx={{ width: 28, height: 28 }} />}
          >
            <Facts>
              <Fact name="Email">{user.email}</Fact>
              <Fact name="Joined">
                <Moment at={user.createdAt} full />
              </Fact>
              <Fact name="Password">{user.hasPassword ? 'Set' : 'None'}</Fact>
              <Fact name="Disabled since">{user.disabledAt && <Moment at={user.disabledAt} full />}</Fact>
              <Fact name="Id">{user.id}</Fact>
            </Facts>
          </Section>
          <Section title="Tenants" flush>
            <Rows
              rows={user.memberships}
              keyOf={({ tenantId }) => tenantId}
              empty="In no tenant."
              columns={{
                Tenant: ({ tenantId, tenantName }) => (
                  <PlainLink to={recordAt('tenants', tenantId)}>{tenantName}</PlainLink>
                ),
                Role: ({ role }) => role,
                Joined: ({ joinedAt }) => <Moment at={joinedAt} />,
              }}
            />
          </Section>
        </Columns>
        <Columns>
          <Section title="Sessions" flush>
            <Sessions user={user} />
          </Section>
          <Section title="Linked providers" flush>
            <Rows
              rows={user.providers}
              keyOf={({ provider }) => provider}
              empty="Signs in with neither Google nor GitHub."
              columns={{
                Provider: ({ provider }) => <span>{provider === 'github' ? 'GitHub' : 'Google'}</span>,
                'Their id': ({ providerUserId }) => providerUserId,
                Linked: ({ linkedAt }) => <Moment at={linkedAt} />,
              }}
            />
          </Section>
        </Columns>
        <Columns>
          <AuditRows title="Done by this account" filter={{ actor: user.id }} />
          <AuditRows title="Done to this account" filter={{ target: user.id }} />
        </Columns>
      </>
    )}
  </Detail>
);

export default User;
