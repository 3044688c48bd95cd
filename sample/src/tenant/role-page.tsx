import type { Schemas } from '@tenantry/client';
import { Alert, Box } from '@mui/material';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { DialogButton } from '../form/form-dialog';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useRoles } from '../queries';
import { messageForCode } from '../messages';
import { api, type Permission, useImpersonationBlock, useHasPermission } from '../session';
import { PermissionPicker } from './permission-picker';

/** A role of one's own, new or to be changed; those that are built in, to look at. */
export default function RolePage() {
  const { id } = useParams();
  const roles = useRoles();
  if (id === 'new') return <RoleEditor />;
  return (
    <QueryResult from={roles}>
      {(all) => {
        const role = all.find((one) => one.id === id);
        return role ? <RoleEditor role={role} /> : <Alert severity="error">{messageForCode('NOT_FOUND')}</Alert>;
      }}
    </QueryResult>
  );
}

function RoleEditor({ role }: { role?: Schemas['RoleView'] }) {
  const navigate = useNavigate();
  const blocked = useImpersonationBlock();
  const canManage = useHasPermission()('tenant.roles.manage') && !blocked;
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? []);
  const isReadOnly = !canManage || role?.isBuiltIn === true;
  const back = () => void navigate('/roles');
  const save = (name = '') => {
    const body = { name, permissions: [...permissions] };
    return role
      ? api.PUT('/tenants/current/roles/{roleId}', { params: { path: { roleId: role.id } }, body })
      : api.POST('/tenants/current/roles', { body });
  };
  const isUsed = role !== undefined && role.memberCount > 0;
  const remove = role && (
    <DialogButton
      button="Delete role"
      variant="outlined"
      disabledReason={isUsed ? 'Members have this role. Give them another one first.' : undefined}
      title={`Delete ${role.name}?`}
      text="Open invitations to it are taken back."
      submit="Delete"
      isDanger
      send={() => api.DELETE('/tenants/current/roles/{roleId}', { params: { path: { roleId: role.id } } })}
      onDone={back}
    />
  );
  const choice = <PermissionPicker chosen={permissions} choose={isReadOnly ? undefined : setPermissions} />;
  return (
    <Page
      title={role?.name ?? 'New role'}
      text={role?.isBuiltIn ? 'Built-in: this role is the same in every workspace.' : blocked}
      action={!isReadOnly && remove}
    >
      <Section>
        {isReadOnly ? (
          choice
        ) : (
          <Form
            submit={role ? 'Save role' : 'Create role'}
            send={({ name }) => save(name)}
            onDone={back}
            onCancel={back}
            at={{ ROLE_NAME_TAKEN: 'name' }}
          >
            <Box sx={{ maxWidth: 400 }}>
              <Field name="name" label="Role name" defaultValue={role?.name ?? ''} />
            </Box>
            {choice}
          </Form>
        )}
      </Section>
    </Page>
  );
}
