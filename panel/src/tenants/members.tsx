import type { Schemas } from '@tenantry/client';
import { PlainLink, recordAt } from '../parts/links';
import { Moment } from '../parts/moment';
import { useMore } from '../parts/reading';
import { Rows } from '../parts/rows';
import { Section } from '../parts/section';
import { api } from '../session';

/** Who belongs to a tenant. */
export const Members = ({ tenantId }: { tenantId: string }) => {
  const members = useMore(['members', tenantId], (cursor) =>
    api.GET('/admin/tenants/{id}/members', { params: { path: { id: tenantId }, query: { limit: 10, cursor } } }),
  );
  return (
    <Section title="Members" flush>
      <Rows<Schemas['MemberView']>
        {...members}
        keyOf={({ userId }) => userId}
        empty="Nobody."
        columns={{
          Name: ({ userId, name }) => <PlainLink to={recordAt('users', userId)}>{name}</PlainLink>,
          Email: ({ email }) => email,
          Role: ({ role }) => role,
          Joined: ({ joinedAt }) => <Moment at={joinedAt} />,
        }}
      />
    </Section>
  );
};
