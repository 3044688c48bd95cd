import { Button, Chip, Link } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Link as RouterLink } from 'react-router';
import { Page, Section } from '../layout/page';
import { ItemList } from '../list/item-list';
import { QueryResult } from '../list/query-result';
import { ListRow } from '../list/list-row';
import { useRoles } from '../queries';
import { useImpersonationBlock, useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';

/** The built-in and the custom roles of the workspace. */
export default function RolesPage() {
  const blocked = useImpersonationBlock();
  const canManage = useHasPermission()('tenant.roles.manage') && !blocked;
  const roles = useRoles();
  const path = useWorkspacePath();
  const create = (
    <Button variant="contained" component={RouterLink} to={path('/roles/new')}>
      New role
    </Button>
  );
  return (
    <Page title="Roles" text="Roles control what members can do." action={canManage && create}>
      <Section>
        <QueryResult from={roles}>
          {(all) => <ItemList items={all}>{(role) => <RoleRow role={role} />}</ItemList>}
        </QueryResult>
      </Section>
    </Page>
  );
}

function RoleRow({ role: { id, name, isBuiltIn, memberCount, permissions } }: { role: Schemas['RoleView'] }) {
  const path = useWorkspacePath();
  const title = (
    <>
      <Link component={RouterLink} to={path(`/roles/${id}`)}>
        {name}
      </Link>
      {isBuiltIn && <Chip size="small" variant="outlined" label="Built-in" />}
    </>
  );
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return (
    <ListRow title={title} text={`${count(memberCount, 'member')} · ${count(permissions.length, 'permission')}`} />
  );
}
