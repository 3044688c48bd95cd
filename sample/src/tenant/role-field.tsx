import { MenuItem } from '@mui/material';
import { Field } from '../form/field';
import { useRoles } from '../queries';

/** Selects a role. Owner is not offered: ownership is transferred instead. */
export function RoleField({ defaultValue }: { defaultValue?: string }) {
  const roles = useRoles().data?.filter(({ name }) => name !== 'Owner');
  if (!roles) return null;
  return (
    <Field
      name="roleId"
      label="Role"
      select
      defaultValue={defaultValue ?? roles.find(({ name }) => name === 'Member')?.id ?? ''}
    >
      {roles.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </Field>
  );
}
