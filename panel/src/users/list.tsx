import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { PlainLink, recordAt } from '../parts/links';
import { Listing, WIDE } from '../parts/listing';
import { Moment } from '../parts/moment';
import { UserStates } from './states';

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
const Users = () => (
  <Listing<User>
    title="Users"
    filters={FILTERS}
    empty={[
      'Nobody has registered yet.',
      'No account is like that. Every word must occur in the address or the name; words of one or two letters at a beginning.',
    ]}
    card={(user) => ({
      to: recordAt('users', user.id),
      title: user.name,
      state: <UserStates user={user} />,
      lines: (
        <>
          {user.email} · joined <Moment at={user.createdAt} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      source="name"
      render={(user: User) => <PlainLink to={recordAt('users', user.id)}>{user.name}</PlainLink>}
    />
    <DataTable.Col disableSort source="email" />
    <DataTable.Col disableSort label="State" render={(user: User) => <UserStates user={user} />} />
    <DataTable.Col disableSort label="Joined" render={(user: User) => <Moment at={user.createdAt} />} />
  </Listing>
);

export default Users;
