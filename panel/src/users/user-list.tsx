import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { TextLink, recordAt } from '../components/links';
import { ListPage, WIDE } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { UserStatusChips } from './user-status-chips';

type User = Schemas['AdminUserView'];

const STATES = [
  { id: 'admin', name: 'Operators' },
  { id: 'disabled', name: 'Disabled' },
  { id: 'unverified', name: 'Unverified' },
];

const FILTERS = (
  <>
    <TextInput source="q" label="Address, name or id" resettable helperText={false} sx={WIDE} />
    <SelectInput source="state" label="State" choices={STATES} emptyText="Any" helperText={false} />
  </>
);

/** All accounts, newest first. */
const UserList = () => (
  <ListPage<User>
    title="Users"
    filters={FILTERS}
    empty={[
      'Nobody has registered yet.',
      'No account is like that. Every word must occur in the address or the name; words of one or two letters at a beginning.',
    ]}
    card={(user) => ({
      to: recordAt('users', user.id),
      title: user.name,
      state: <UserStatusChips user={user} />,
      lines: (
        <>
          {user.email} · joined <Timestamp at={user.createdAt} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      source="name"
      render={(user: User) => <TextLink to={recordAt('users', user.id)}>{user.name}</TextLink>}
    />
    <DataTable.Col disableSort source="email" />
    <DataTable.Col disableSort label="State" render={(user: User) => <UserStatusChips user={user} />} />
    <DataTable.Col disableSort label="Joined" render={(user: User) => <Timestamp at={user.createdAt} />} />
  </ListPage>
);

export default UserList;
