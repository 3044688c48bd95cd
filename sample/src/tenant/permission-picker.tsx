import { Checkbox, FormControl, FormControlLabel, FormHelperText, FormLabel, Stack } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { CheckboxLabel } from '../form/checkbox-label';
import { FieldErrors } from '../form/form';
import { QueryResult } from '../list/query-result';
import { api, type Permission, useClaims, useHasPermission } from '../session';

type PermissionText = Schemas['PermissionView'];

/** What a permission allows, where the description of the API is for developers. */
const LABELS: Partial<Record<Permission, string>> = {
  'tenant.settings.read': 'View workspace settings',
  'tenant.settings.manage': 'Rename the workspace',
  'tenant.security.manage': 'Set the sign-in policy, see who has a second factor',
  'tenant.keys.manage': 'Manage service accounts and API keys',
  'tenant.members.read': 'View members',
  'tenant.members.invite': 'Invite people, view and revoke invitations',
  'tenant.members.manage': 'Change roles and remove members',
  'tenant.roles.read': 'View roles and permissions',
  'tenant.roles.manage': 'Create, edit and delete roles',
  'tenant.billing.read': 'View plan and subscription',
  'tenant.billing.manage': 'Choose and change the plan, manage payment',
  'tenant.audit.read': 'View the audit log',
  'tenant.webhooks.manage': 'Manage webhooks and see what they sent',
  'tenant.projects.read': 'View projects',
  'tenant.projects.manage': 'Create, edit and delete projects',
};

interface PermissionPickerProps {
  readonly chosen: readonly Permission[];
  /** Left out: read-only. */
  readonly choose?: (permissions: readonly Permission[]) => void;
}

/** All permissions by area, with those of a role checked. */
export function PermissionPicker({ chosen, choose }: PermissionPickerProps) {
  const permissions = useQuery({
    queryKey: ['permissions'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/permissions')).items,
  });
  return <QueryResult from={permissions}>{(all) => <PermissionAreas {...{ all, chosen, choose }} />}</QueryResult>;
}

/** The permissions that the user has, with those checked that a key gets. */
export function HeldPermissionPicker({ chosen, choose }: PermissionPickerProps) {
  const held = (useClaims()?.permissions ?? []) as readonly Permission[];
  return <PermissionAreas {...{ chosen, choose }} all={held.map((name) => ({ name, description: name }))} />;
}

interface PermissionAreasProps extends PermissionPickerProps {
  readonly all: readonly PermissionText[];
}

function PermissionAreas({ all, chosen, choose }: PermissionAreasProps) {
  const error = use(FieldErrors).permissions;
  return (
    <Stack spacing={2.5}>
      {[...new Set(all.map(areaOf))].map((area) => (
        <FormControl key={area} component="fieldset">
          <FormLabel component="legend" sx={LEGEND}>
            {area}
          </FormLabel>
          {all
            .filter((permission) => areaOf(permission) === area)
            .map(({ name, description }) => (
              <PermissionCheckbox key={name} {...{ name, description, chosen, choose }} />
            ))}
        </FormControl>
      ))}
      {/* makes it a field of the form, which then leaves its errors to be shown here */}
      <input type="hidden" name="permissions" />
      {error && <FormHelperText error>{error.message}</FormHelperText>}
    </Stack>
  );
}

/** The name of an area, in the same color while one of its permissions has the focus. */
const LEGEND = { textTransform: 'capitalize', fontWeight: 600, '&.Mui-focused': { color: 'text.secondary' } };

/** "members" of tenant.members.invite. */
const areaOf = ({ name }: PermissionText) => name.split('.')[1];

/** The permission to view an area. It is granted with every other permission of that area. */
const readingOf = (name: Permission) => name.replace(/\.\w+$/, '.read') as Permission;

interface PermissionCheckboxProps extends PermissionPickerProps {
  readonly name: Permission;
  readonly description: string;
}

function PermissionCheckbox({ name, description, chosen, choose }: PermissionCheckboxProps) {
  const hasPermission = useHasPermission();
  const isHeld = hasPermission(name);
  const label = (
    <CheckboxLabel
      text={LABELS[name] ?? description}
      detail={choose && !isHeld ? `${name} · you can only grant permissions that you have` : name}
    />
  );
  const toggle = () => {
    if (chosen.includes(name)) choose?.(chosen.filter((other) => other !== name));
    else choose?.([...new Set([...chosen, ...[readingOf(name)].filter(hasPermission), name])]);
  };
  const box = <Checkbox checked={chosen.includes(name)} onChange={toggle} disabled={!choose || !isHeld} />;
  return <FormControlLabel control={box} label={label} sx={{ mt: 0.5 }} />;
}
