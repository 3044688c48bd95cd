import { Button, Chip, Link } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Link as RouterLink } from 'react-router';
import { Page, Section } from '../frame/page';
import { Items } from '../list/items';
import { Loaded } from '../list/loaded';
import { Row } from '../list/row';
import { useRoles } from '../queries';
import { useActing, useMay } from '../session';

/** What members can be: three roles that are always there, and those of the workspace's own. */
export default function Roles() {
  const acting = useActing();
  const mayManage = useMay()('tenant.roles.manage') && !acting;
  const roles = useRoles();
  const create = (
    <Button variant="contained" component={RouterLink} to="/roles/new">
      New role
    </Button>
  );
  return (
    <Page title="Roles" text="A role is a name for what its members may do." action={mayManage && create}>
      <Section>
        <Loaded from={roles}>{(all) => <Items items={all}>{(role) => <RoleRow role={role} />}</Items>}</Loaded>
      </Section>
    </Page>
  );
}

function RoleRow({ role: { id, name, isBuiltIn, memberCount, permissions } }: { role: Schemas['RoleView'] }) {
  const title = (
    <>
      <Link component={RouterLink} to={`/roles/${id}`}>
        {name}
      </Link>
      {isBuiltIn && <Chip size="small" variant="outlined" label="Built-in" />}
    </>
  );
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return <Row title={title} text={`${count(memberCount, 'member')} · ${count(permissions.length, 'permission')}`} />;
}
