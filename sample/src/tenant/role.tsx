import type { Schemas } from '@tenantry/client';
import { Alert, Box } from '@mui/material';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Ask } from '../form/ask';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../frame/page';
import { Loaded } from '../list/loaded';
import { useRoles } from '../queries';
import { sentenceFor } from '../sentences';
import { api, type Permission, useActing, useMay } from '../session';
import { Permissions } from './permissions';

/** A role of one's own, new or to be changed; those that are built in, to look at. */
export default function RolePage() {
  const { id } = useParams();
  const roles = useRoles();
  if (id === 'new') return <RoleEditor />;
  return (
    <Loaded from={roles}>
      {(all) => {
        const role = all.find((one) => one.id === id);
        return role ? <RoleEditor role={role} /> : <Alert severity="error">{sentenceFor('NOT_FOUND')}</Alert>;
      }}
    </Loaded>
  );
}

function RoleEditor({ role }: { role?: Schemas['RoleView'] }) {
  const navigate = useNavigate();
  const acting = useActing();
  const mayManage = useMay()('tenant.roles.manage') && !acting;
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? []);
  const isReadOnly = !mayManage || role?.isBuiltIn === true;
  const back = () => void navigate('/roles');
  const save = (name = '') => {
    const body = { name, permissions: [...permissions] };
    return role
      ? api.PUT('/tenants/current/roles/{roleId}', { params: { path: { roleId: role.id } }, body })
      : api.POST('/tenants/current/roles', { body });
  };
  const isUsed = role !== undefined && role.memberCount > 0;
  const remove = role && (
    <Ask
      button="Delete role"
      variant="outlined"
      whyNot={isUsed ? 'Members have this role. Give them another one first.' : undefined}
      title={`Delete ${role.name}?`}
      text="Open invitations to it are taken back."
      submit="Delete"
      isDanger
      send={() => api.DELETE('/tenants/current/roles/{roleId}', { params: { path: { roleId: role.id } } })}
      onDone={back}
    />
  );
  const choice = <Permissions chosen={permissions} choose={isReadOnly ? undefined : setPermissions} />;
  return (
    <Page
      title={role?.name ?? 'New role'}
      text={role?.isBuiltIn ? 'Built-in: this role is the same in every workspace.' : acting}
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
