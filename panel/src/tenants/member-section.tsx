import type { Schemas } from '@tenantry/client';
import { CopyableCell } from '../components/copyable-field';
import { TextLink, recordAt } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { useApiPages } from '../components/use-api-query';
import { DataRows } from '../components/data-rows';
import { Section } from '../components/section';
import { api } from '../api';

/** The members of a tenant. */
export const MemberSection = ({ tenantId }: { tenantId: string }) => {
  const members = useApiPages(['members', tenantId], (cursor) =>
    api.GET('/admin/tenants/{id}/members', { params: { path: { id: tenantId }, query: { limit: 10, cursor } } }),
  );
  return (
    <Section title="Members" flush>
      <DataRows<Schemas['MemberView']>
        {...members}
        keyOf={({ userId }) => userId}
        empty="No members."
        columns={{
          Name: ({ userId, name }) => <TextLink to={recordAt('users', userId)}>{name}</TextLink>,
          Email: ({ email }) => <CopyableCell name="email" value={email} />,
          Role: ({ role }) => role,
          Joined: ({ joinedAt }) => <Timestamp at={joinedAt} />,
        }}
      />
    </Section>
  );
};
