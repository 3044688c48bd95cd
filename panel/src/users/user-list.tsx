import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { CopyableCell } from '../components/copyable-field';
import { TextLink, recordAt } from '../components/links';
import { ListPage, WIDE } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { signInMethodOf } from './sign-in-method';
import { UserStatusChips } from './user-status-chips';

type User = Schemas['AdminUserView'];

const STATES = [
  { id: 'admin', name: 'Operators' },
  { id: 'disabled', name: 'Disabled' },
  { id: 'unverified', name: 'Unverified' },
];

const FILTERS = (
  <>
    <TextInput source="q" label="Search by email, name or ID" resettable helperText={false} sx={WIDE} />
    <SelectInput source="state" label="Status" choices={STATES} emptyText="Any" helperText={false} />
  </>
);

/** All users, newest first. */
const UserList = () => (
  <ListPage<User>
    title="Users"
    filters={FILTERS}
    empty={['No users yet.', 'No results. All search terms must occur in the email or name.']}
    card={(user) => ({
      to: recordAt('users', user.id),
      title: user.name,
      state: <UserStatusChips user={user} />,
      lines: (
        <>
          {user.email} · {user.lastSignInAt ? 'signed in ' : 'created '}
          <Timestamp at={user.lastSignInAt ?? user.createdAt} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      source="name"
      render={(user: User) => <TextLink to={recordAt('users', user.id)}>{user.name}</TextLink>}
    />
    <DataTable.Col
      disableSort
      source="email"
      render={({ email }: User) => <CopyableCell name="email" value={email} />}
    />
    <DataTable.Col disableSort label="Status" render={(user: User) => <UserStatusChips user={user} />} />
    <DataTable.Col
      disableSort
      label="Last sign-in"
      render={({ lastSignInAt, lastSignInMethod }: User) => (
        <span title={signInMethodOf(lastSignInMethod)}>
          <Timestamp at={lastSignInAt} />
        </span>
      )}
    />
    <DataTable.Col disableSort label="Created" render={(user: User) => <Timestamp at={user.createdAt} />} />
  </ListPage>
);

export default UserList;
