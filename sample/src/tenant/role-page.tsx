import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { DialogButton } from '../form/form-dialog';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { NotFound } from '../layout/not-found';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { useRoles } from '../queries';
import { api, type Permission, useImpersonationBlock, useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { PermissionPicker } from './permission-picker';

/** Creates or edits a custom role. Built-in roles are shown read-only. */
export default function RolePage() {
  const { id } = useParams();
  const roles = useRoles();
  const path = useWorkspacePath();
  if (id === 'new') return <RoleEditor />;
  return (
    <QueryResult from={roles}>
      {(all) => {
        const role = all.find((one) => one.id === id);
        if (role) return <RoleEditor role={role} />;
        const back = { to: path('/roles'), label: 'Back to roles' };
        return <NotFound title="Role not found" text="It may have been deleted." {...back} />;
      }}
    </QueryResult>
  );
}

function RoleEditor({ role }: { role?: Schemas['RoleView'] }) {
  const navigate = useNavigate();
  const showToast = useToast();
  const path = useWorkspacePath();
  const blocked = useImpersonationBlock();
  const canManage = useHasPermission()('tenant.roles.manage') && !blocked;
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? []);
  const isReadOnly = !canManage || role?.isBuiltIn === true;
  const back = () => {
    void navigate(path('/roles'));
  };
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
      disabledReason={isUsed ? 'This role is assigned to members. Change their roles first.' : undefined}
      title={`Delete ${role.name}?`}
      text="Pending invitations with this role are revoked. This can’t be undone."
      submit="Delete"
      isDanger
      send={() => api.DELETE('/tenants/current/roles/{roleId}', { params: { path: { roleId: role.id } } })}
      onDone={({ revokedInvitations: count }) => {
        if (count > 0) showToast(count === 1 ? '1 invitation was revoked.' : `${count} invitations were revoked.`);
        back();
      }}
    />
  );
  const picker = <PermissionPicker chosen={permissions} choose={isReadOnly ? undefined : setPermissions} />;
  return (
    <Page
      title={role?.name ?? 'New role'}
      text={role?.isBuiltIn ? 'Built-in role. It can’t be changed.' : blocked}
      action={!isReadOnly && remove}
    >
      <Section>
        {isReadOnly ? (
          picker
        ) : (
          <Form
            submit={role ? 'Save role' : 'Create role'}
            send={({ name }) => save(name)}
            onDone={back}
            onCancel={back}
            fieldErrors={{ ROLE_NAME_TAKEN: 'name' }}
          >
            <Field name="name" label="Role name" emptyMessage="Enter a name." defaultValue={role?.name ?? ''} />
            {picker}
          </Form>
        )}
      </Section>
    </Page>
  );
}
